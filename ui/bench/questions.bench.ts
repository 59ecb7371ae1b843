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
  // What is refetched of a conversation while it is erased.
  consoleGuard.expect(/404/u);
  const sessions = await deliver(family);
  await addChild("Leo");
  const yesterday = new Question("What did Mia talk about yesterday? (opening Summary)", 0);
  const week = new Question("How long this week? (opening Summary)", 0);
  const octopus = new Question("The octopus: first match, after the last key", 1);
  const opened = new Question("The octopus: its conversation, after another tap", 1);
  const pause = new Question("No more talk tonight", 2);
  const move = new Question("That was Leo's: move it", 3);
  const erase = new Question("Delete a conversation", 3);
  const bringBack = new Question("Restore it", 1);
  const copy = new Question("A copy of everything", 2);
  await signInAt();
  await throttle(page);
  const at = (path: string) => `/child/${family.child.id}/${path}`;
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const dialog = page.getByRole("dialog");

  for (const { toMove, toErase } of sessions) {
    yesterday.start();
    week.start();
    await page.goto(at("summary"), { waitUntil: "commit" });
    await yesterday.answered(page.getByText(/^Yesterday:/u));
    await week.answered(page.getByText(/^This week: /u));

    await page.goto(at("summary"));
    pause.start();
    await pause.tap(button("Until tomorrow at 7"));
    await pause.answered(page.getByText(/^Paused until/u));
    await button("Let Mia talk again").tap();
    await button("Until tomorrow at 7").waitFor();

    copy.start();
    const downloading = page.waitForEvent("download");
    await copy.tap(button("Download what is kept about Mia"));
    await downloading;
    await copy.answered(page.getByText("The file is in your downloads."));

    await page.goto(at("transcripts"));
    const box = page.getByRole("searchbox", { name: "Search transcripts" });
    await box.tap();
    await box.pressSequentially("octopu");
    await page.getByRole("region", { name: "Search results" }).locator("mark").first().waitFor();
    octopus.start();
    await box.press("s");
    await octopus.answered(page.locator("mark", { hasText: /^octopus$/u }));
    opened.start();
    await opened.tap(page.getByRole("link", { name: /three hearts/u }));
    await opened.answered(page.getByRole("heading", { name: "Transcript: The sea" }));

    await page.goto(at(`transcripts?session=${toMove}`));
    await button("Move or erase").waitFor();
    move.start();
    await move.tap(button("Move or erase"));
    await move.tap(page.getByRole("menuitem", { name: "Move to Leo" }));
    await move.tap(dialog.getByRole("button", { name: "Move" }));
    await move.answered(page.getByRole("link", { name: "Show it there" }));

    await page.goto(at(`transcripts?session=${toErase}`));
    await button("Move or erase").waitFor();
    erase.start();
    await erase.tap(button("Move or erase"));
    await erase.tap(page.getByRole("menuitem", { name: "Erase" }));
    await erase.tap(dialog.getByRole("button", { name: "Erase" }));
    await erase.answered(page.getByText("was erased."));
    bringBack.start();
    await bringBack.tap(button("Bring back"));
    await bringBack.answered(page.getByText("Roar"));
  }
  const all = [yesterday, week, octopus, opened, pause, move, erase, bringBack, copy];
  process.stdout.write(`
Chromium, 390 px, CPU slowdown ${CPU_SLOWDOWN}, medians of ${RUNS}
${all.join("\n")}
`);
});
