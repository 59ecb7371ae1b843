import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "@playwright/test";

import { type Family, expect, test, narrow } from "./fixtures";
import type { Porchlight } from "./porchlight";

const START = "2026-11-20T18:00:00Z";

function say(source: string, text_content: string, more: object = {}) {
  return { source, text_content, ...more };
}

/** Imports another child with a conversation as the gateway stores it. Returns the child's id. */
async function importChat(porchlight: Porchlight, { email }: Family): Promise<number> {
  const name = `Chat of ${email}`;
  const followed = { list: { number: 0 }, evidence: "added", since: START };
  const family = {
    assistants: [{ name }],
    children: [
      {
        name: "Zoe",
        guardians: [email],
        assistants: [{ name, follows: followed }],
        sessions: [
          {
            topic: "Owls",
            start: START,
            assistant: name,
            receipts: [{ version: 0, evidence: "added" }],
            messages: [
              say("app", "You are a pirate.", { kind: "instructions" }),
              say("child", "Do owls sleep?", { kind: "earlier" }),
              say("assistant", "By day.", { kind: "earlier", from_app: true }),
              say("child", "Why do owls turn their heads?"),
              say("assistant", "She asks about owls.", { kind: "reasoning" }),
              say("assistant", "Their eyes can't move, so the whole head does.", { generated: true }),
              say("child", "Generate a short title for this conversation.", { kind: "background" }),
              say("assistant", "Owls and their heads", { kind: "background" }),
              say("child", "All the way round?"),
              say("assistant", 'look_up {"entry": "owl necks"}', { event_type: "tool_call" }),
              say("tool", "Fourteen vertebrae", { kind: "tool" }),
              say("assistant", "Almost, with fourteen bones", { interrupted: true, heard: 6 }),
            ],
          },
        ],
      },
    ],
  };
  const folder = await mkdtemp(join(tmpdir(), "porchlight-family-"));
  try {
    const file = join(folder, "family.json");
    await writeFile(file, JSON.stringify(family));
    const imported = JSON.stringify(await porchlight.command("seed", file));
    return Number(/"children":\[(\d+)\]/u.exec(imported)?.[1]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function expectNoOverflow(page: Page) {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(beyond).toBeLessThanOrEqual(0);
}

test(
  "a transcript of the gateway marks what was only sent, and folds what was not said",
  narrow,
  async ({ page, porchlight, family, signIn, checkAccessibility }) => {
    const child = await importChat(porchlight, family);
    await signIn(family.email);
    await page.goto(`/child/${child}/transcripts`);
    await page.getByRole("link", { name: "Owls" }).click();
    const messages = page.getByRole("region", { name: "Messages" });
    await expect(messages.getByText("All the way round?")).toBeVisible();
    await page.getByRole("button", { name: "More actions" }).click();
    await expect(
      page.getByText("5 messages", { exact: false }).filter({ visible: true }).first(),
    ).toBeVisible();
    await expect(page.getByText("Added by Porchlight · the first list")).toBeVisible();
    await page.keyboard.press("Escape");

    const mark = messages.getByRole("button", { name: "Sent to the app" });
    await expect(mark).toHaveCount(1);
    await mark.focus();
    await expect(page.getByRole("tooltip")).toHaveText(
      "Porchlight knows what was sent, not yet what was heard.",
    );
    await expectNoOverflow(page);
    await checkAccessibility();

    const folds = [
      ["2 messages said earlier", "Do owls sleep?", "Zoe, earlier"],
      [/^Instructions sent with the request\. Anyone/u, "You are a pirate.", "Instructions sent"],
      ["The AI's working notes", "She asks about owls.", "The AI's working notes"],
      [
        /^2 messages in a request that looks/u,
        "Generate a short title for this conversation.",
        "Not said by anybody",
      ],
      ["What a tool answered", "Fourteen vertebrae", "What a tool answered"],
    ] as const;
    for (const [heading, text, name] of folds) {
      const message = messages.locator("[data-message]", { hasText: text });
      await expect(message).toHaveCount(0);
      const fold = messages.getByRole("button", { name: heading });
      // A row has no box while the list measures it again.
      await expect.poll(async () => (await fold.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      await fold.press("Enter");
      await expect(fold).toHaveAttribute("aria-expanded", "true");
      await expect(message).toBeVisible();
      await expect(message).toContainText(name);
      // Only what is near the visible part of the list is rendered: the next fold may be too far below.
      await message.evaluate((opened) => opened.scrollIntoView());
    }
    await messages.getByText("not heard", { exact: true }).click();
    await expect(messages.getByText("with fourteen bones")).toBeVisible();
    await expectNoOverflow(page);
    await checkAccessibility();

    await page.goto(`/child/${child}/transcripts`);
    await page.getByRole("searchbox", { name: "Search transcripts" }).fill("sleep");
    await page.getByRole("link", { name: "Zoe, earlier" }).click();
    await expect(messages.locator("mark")).toHaveText("sleep");
    await expect(messages.getByText("from the app, not the model")).toBeVisible();
  },
);
