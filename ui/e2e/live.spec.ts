import { anyWidth, expect, test, narrow } from "./fixtures";

const said = (id: string, source: string, text: string) => ({
  message_id: id,
  source,
  text_content: text,
  timestamp: new Date().toISOString(),
});

const pause = async () => new Promise((done) => setTimeout(done, 100));

test(
  "a conversation in progress is updated live, and Summary shows who is talking",
  anyWidth,
  async ({ page, family: { assistant, child }, signInAt, checkAccessibility }) => {
    const session = await assistant.open("live", { child_id: child.id, topic: "The sea" });
    await assistant.deliver("live", [said("1", "child", "Why is the sea salty?")]);
    await signInAt(`transcripts?session=${session}`);
    const messages = page.getByRole("region", { name: "Messages" }).getByRole("list");
    await expect(messages.getByText("Why is the sea salty?")).toBeVisible();

    await assistant.deliver("live", [said("2", "assistant", "Rivers carry salt from the rocks into it.")]);
    await expect(messages.getByText("Rivers carry salt from the rocks into it.")).toBeVisible();

    await page.goto(`/child/${child.id}/summary`);
    const line = page.getByRole("link", { name: /^Talking with Buddy of .* now$/u });
    await expect(line).toBeVisible();
    await checkAccessibility();
    await assistant.complete("live", { duration: 60 });
    await expect(line).toBeHidden();
  },
);

test(
  "the conversation in progress opens at its end with one tap, and is followed there",
  narrow,
  async ({ page, family: { assistant, child }, signInAt }) => {
    const session = await assistant.open("live", { child_id: child.id, topic: "The sea" });
    const lines = Array.from({ length: 250 }, (_, index) =>
      said(String(index), index % 2 === 0 ? "child" : "assistant", `This is sentence ${index}.`),
    );
    await assistant.deliver("live", lines);
    await signInAt("summary");

    const line = page.getByRole("link", { name: /^Talking with Buddy of .* now$/u });
    await expect(line).toBeInViewport({ ratio: 1 });
    await line.click();

    await expect(page).toHaveURL(`/child/${child.id}/transcripts?session=${session}`);
    const messages = page.getByRole("region", { name: "Messages" }).getByRole("list");
    await expect(messages.getByText("This is sentence 249.")).toBeInViewport();
    await assistant.deliver("live", [said("250", "child", "And this is the last one.")]);
    await expect(messages.getByText("And this is the last one.")).toBeInViewport();
  },
);

test(
  "eight pages over HTTP/1.1 don't stall, because only the visible one has a stream",
  anyWidth,
  async ({ page, context, family, signInAt }) => {
    await signInAt("summary");
    for (let number = 1; number < 8; number += 1) {
      // More than the six connections that a browser has to one server.
      const tab = await context.newPage();
      // Headless Chromium reports every page as visible, so the visibility is overridden.
      await tab.addInitScript(() => {
        Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
      });
      // oxlint-disable-next-line no-await-in-loop -- the tabs are opened sequentially
      await tab.goto(`/child/${family.child.id}/summary`);
      await expect(tab.getByRole("heading", { name: "Summary for Mia" })).toBeVisible();
    }

    await family.assistant.report(family.child.id, { headline: "Mia asks why." });

    const json = page.getByRole("region", { name: "Summary as JSON" });
    await expect(json.getByText("Mia asks why.")).toBeVisible();
  },
);

test(
  "after the server was killed and restarted, an open page shows the same as after a reload",
  anyWidth,
  async ({ page, porchlight, family: { assistant, child }, signInAt, consoleGuard }) => {
    // The console messages while the server is down.
    consoleGuard.expect(/net::ERR_|RequestFailed: The server can't be reached/u);
    const session = await assistant.open("killed", { child_id: child.id, topic: "The sea" });
    await signInAt(`transcripts?session=${session}`);
    const messages = page.getByRole("region", { name: "Messages" }).getByRole("list");
    await assistant.deliver("killed", [said("0", "child", "Word 0")]);
    await expect(messages.getByText("Word 0")).toBeVisible();
    // An assistant resends unacknowledged messages.
    const insist = async (index: number): Promise<void> => {
      try {
        await assistant.deliver("killed", [said(String(index), "child", `Word ${index}`)]);
      } catch {
        await pause();
        await insist(index);
      }
    };
    const talk = async () => {
      for (let index = 1; index <= 8; index += 1) {
        // oxlint-disable-next-line no-await-in-loop -- the messages are sequential
        await insist(index);
        // oxlint-disable-next-line no-await-in-loop -- the server is killed in the middle of it
        await pause();
      }
    };

    const talking = talk();
    await expect(messages.getByText("Word 3", { exact: true })).toBeVisible();
    await porchlight.killAndStart();
    await talking;

    const words = Array.from({ length: 9 }, (_, index) => `Word ${index}`);
    const shown = async () => (await messages.innerText()).match(/Word \d+/gu);
    await expect.poll(shown).toEqual(words);
    await page.reload();
    await expect.poll(shown).toEqual(words);
  },
);
