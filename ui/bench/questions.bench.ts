import type { Locator } from "@playwright/test";

import { CPU_SLOWDOWN, RUNS, median, throttle } from "./phone";
import { type Family, expect, test } from "../e2e/fixtures";

const DAY_MS = 24 * 60 * 60 * 1000;

/** What a parent asks, how many taps it may take, and what was measured. */
class Question {
  readonly #label: string;
  readonly #taps: number;
  readonly #seconds: number[] = [];
  #tapped = 0;
  #started = 0;

  constructor(label: string, taps: number) {
    this.#label = label;
    this.#taps = taps;
  }

  start(): void {
    this.#tapped = 0;
    this.#started = performance.now();
  }

  async tap(target: Locator): Promise<void> {
    this.#tapped += 1;
    await target.tap();
  }

  /** Waits for the answer, and notes how long it took. */
  async answered(answer: Locator): Promise<void> {
    await answer.waitFor();
    this.#seconds.push((performance.now() - this.#started) / 1000);
    expect(this.#tapped).toBeLessThanOrEqual(this.#taps);
  }

  toString(): string {
    return `${this.#label.padEnd(56)} ${this.#tapped} taps  ${median(this.#seconds).toFixed(2)} s`;
  }
}

/** Delivers yesterday's conversations: for each run one to move and one to erase, and one about an octopus. */
async function deliver({ assistant, child }: Family) {
  const start_time = new Date(Date.now() - DAY_MS).toISOString();
  const sessions: { toMove: number; toErase: number }[] = [];
  const hear = async (topic: string, text_content: string) => {
    const name = topic.replaceAll(" ", "-");
    const session = await assistant.open(name, { child_id: child.id, topic, start_time });
    await assistant.deliver(name, [
      { message_id: "1", source: "child", text_content, timestamp: start_time },
    ]);
    await assistant.complete(name, { duration: 300 });
    return session;
  };
  await hear("The sea", "Did you know an octopus has three hearts?");
  for (let run = 0; run < RUNS; run += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one conversation after the other
    sessions.push({
      toMove: await hear(`Trains ${run}`, "Choo"),
      toErase: await hear(`Dinosaurs ${run}`, "Roar"),
    });
  }
  return sessions;
}

test("what a parent asks: taps and seconds", async ({ page, family, signInAt, addChild, consoleGuard }) => {
  // The page requests a conversation once more that has just been deleted.
  consoleGuard.expect(/404/u);
  const sessions = await deliver(family);
  await addChild("Leo");
  const yesterday = new Question("What did Mia talk about yesterday? (opening Summary)", 0);
  const week = new Question("How long this week? (opening Summary)", 0);
  const pause = new Question("Stop talking now (in sight without scrolling)", 1);
  const live = new Question("Read the conversation in progress", 1);
  const last = new Question("Read the last conversation", 2);
  const block = new Question("Block a topic", 3);
  const reports = new Question("Who has my list?", 1);
  const bedtime = new Question("Change the quiet hours", 4);
  const invite = new Question("Invite another guardian", 6);
  const octopus = new Question("The octopus: first match, after the last key", 1);
  const opened = new Question("The octopus: its conversation, after another tap", 1);
  const move = new Question("That was Leo's: move it", 3);
  const remove = new Question("Delete a conversation", 3);
  const restore = new Question("Restore it", 1);
  const copy = new Question("A copy of everything", 1);
  await signInAt();
  await throttle(page);
  const at = (path: string) => `/child/${family.child.id}/${path}`;
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const link = (name: string | RegExp) => page.getByRole("link", { name });
  const dialog = page.getByRole("dialog");
  const openApp = async () => {
    await page.goto(at("summary"));
    await button("Pause for an hour").waitFor();
  };
  const now = { child_id: family.child.id, topic: "Right now", start_time: new Date().toISOString() };
  const speak = async (run: number) =>
    family.assistant.deliver("now", [
      {
        message_id: String(run),
        source: "child",
        text_content: `Word ${run}`,
        timestamp: new Date().toISOString(),
      },
    ]);

  for (const [run, { toMove, toErase }] of sessions.entries()) {
    yesterday.start();
    week.start();
    await page.goto(at("summary"), { waitUntil: "commit" });
    await yesterday.answered(page.getByText(/^Yesterday:/u));
    await week.answered(page.getByText(/^(?:This|Last) week: /u).first());

    await openApp();
    await expect(button("Pause for an hour")).toBeInViewport({ ratio: 1 });
    pause.start();
    await pause.tap(button("Pause for an hour"));
    await pause.answered(page.getByText(/^Paused until /u));
    await button("Undo").tap();
    await button("Pause for an hour").waitFor();

    await openApp();
    copy.start();
    const downloading = page.waitForEvent("download");
    await copy.tap(button("Download Mia's data"));
    await downloading;
    await copy.answered(page.getByText("The file is in your downloads."));

    await openApp();
    last.start();
    await last.tap(link("Transcripts"));
    await last.tap(link(/^(?:Dinosaurs|Right now)/u).first());
    await last.answered(page.getByText(/^(?:Roar|Word \d+)$/u).last());

    await family.assistant.open("now", now);
    await speak(run);
    await openApp();
    live.start();
    await live.tap(link(/^Talking with /u));
    await live.answered(page.getByText(`Word ${run}`, { exact: true }));

    await openApp();
    reports.start();
    await reports.tap(link("Topic Block List"));
    await reports.answered(page.getByRole("region", { name: "Who has this list?" }).getByRole("listitem"));

    await openApp();
    block.start();
    await block.tap(link("Topic Block List"));
    await block.tap(page.getByRole("textbox", { name: "A topic of your own" }));
    await page.keyboard.type(`Topic ${run}`);
    await block.tap(button("Add Topic"));
    await block.answered(page.getByText("Saved."));

    if (run === 0) {
      await page.goto(at("settings/times"));
      await button("Add quiet hours").tap();
      await button(/^Save$/u).tap();
      await page.getByText("Saved.").waitFor();
    }
    await openApp();
    bedtime.start();
    await bedtime.tap(link(/ a day$|No limit$/u));
    await bedtime.tap(button(/^Change Every day/u));
    await page.getByLabel("From", { exact: true }).fill(`20:0${run}`);
    await bedtime.tap(button(/^Save$/u));
    await bedtime.answered(page.getByText(`8:0${run} PM to`));

    // Invitations are limited per day.
    if (run === 0) {
      await openApp();
      invite.start();
      await invite.tap(button("More"));
      await invite.tap(page.getByRole("menuitem", { name: "App Settings" }));
      await invite.tap(link(/^People/u));
      await invite.tap(button("Invite another guardian"));
      await page.keyboard.type(`guardian-${run}@example.com`);
      await invite.tap(button("Send the invitation"));
      await invite.answered(page.getByText(/^The invitation is on its way to/u));
    }

    await page.goto(at("transcripts"));
    const box = page.getByRole("searchbox", { name: "Search transcripts" });
    await box.tap();
    await box.pressSequentially("octopu");
    await page.getByRole("region", { name: "Search results" }).locator("mark").first().waitFor();
    octopus.start();
    await box.press("s");
    await octopus.answered(page.locator("mark", { hasText: /^octopus$/u }));
    opened.start();
    await opened.tap(link(/three hearts/u));
    await opened.answered(page.getByRole("heading", { name: "Transcript: The sea" }));

    await page.goto(at(`transcripts?session=${toMove}`));
    await button("More actions").waitFor();
    move.start();
    await move.tap(button("More actions"));
    await move.tap(page.getByRole("menuitem", { name: "Move to Leo" }));
    await move.tap(dialog.getByRole("button", { name: "Move to Leo" }));
    await move.answered(link("Go there"));

    await page.goto(at(`transcripts?session=${toErase}`));
    await button("More actions").waitFor();
    remove.start();
    await remove.tap(button("More actions"));
    await remove.tap(page.getByRole("menuitem", { name: "Delete" }));
    await remove.tap(dialog.getByRole("button", { name: "Delete" }));
    await remove.answered(page.getByText("was deleted."));
    restore.start();
    await restore.tap(button("Restore"));
    await restore.answered(page.getByText("Roar"));
  }
  const all = [pause, live, last, block, reports, bedtime, invite, yesterday, week, octopus, opened];
  process.stdout.write(`
Chromium, 390 px, CPU slowdown ${CPU_SLOWDOWN}, medians of ${RUNS}
${[...all, move, remove, restore, copy].join("\n")}
`);
});
