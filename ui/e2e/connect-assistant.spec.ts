import type { Page } from "@playwright/test";

import { Assistant } from "./assistant";
import { canaries } from "./canaries";
import { expect, test, narrow } from "./fixtures";

const WORDS = "Why is the moon following us?";

/** Connects a home-made speaker that runs LiveKit. Returns its key. */
async function connect(page: Page, name: string): Promise<string> {
  const people = page.getByRole("main");
  await people.getByRole("link", { name: "Connect an assistant" }).click();
  await people.getByRole("link", { name: "A home-made speaker" }).click();
  await people.getByRole("link", { name: "LiveKit Agents" }).click();
  await expect(people.getByRole("textbox", { name: "Name, for example Kitchen" })).toBeFocused();
  await page.keyboard.type(name);
  await people.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(people.getByRole("heading", { name: "Three steps to connect it" })).toBeFocused();
  const key = (await people.getByText(/^ast_/u).first().textContent()) ?? "no key";
  canaries.note(key);
  return key;
}

test(
  "a new assistant is connected, and its first words appear without a reload",
  narrow,
  async ({ page, porchlight, family, signInAt, checkAccessibility }) => {
    await signInAt("settings/assistants");
    const key = await connect(page, "Attic");
    const people = page.getByRole("main");
    const details = people.getByText("Technical details", { exact: true });
    await details.click();
    for (const label of [/^Copy curl/u, /^Copy PORCHLIGHT_KEY/u, /^Copy \S/u]) {
      await expect(people.getByRole("button", { name: label }).first()).toBeVisible();
    }
    await people.getByText("I'll do this on that computer: send me the link").click();
    const link = people.locator("code").filter({ hasText: "/settings/assistants/connect/livekit/steps" });
    await expect(link).toBeVisible();
    expect(await link.textContent()).not.toContain(key);
    const status = people.getByRole("region", { name: "Attic" });
    await expect(status.getByText("Waiting for the first word…")).toBeVisible();
    await checkAccessibility();
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(beyond).toBeLessThanOrEqual(0);
    const now = new Date().toISOString();
    await new Assistant(porchlight.url, key).deliverMessage(family.child.id, "moon", WORDS, now);

    await expect(status.getByText("Attic was heard ✓")).toBeVisible();
    await expect(status.getByText(/doesn't have/u)).toHaveText("Attic doesn't have your topics yet.");
    await expect(people.getByText("Messages have their own times ✓")).toBeVisible();
    await checkAccessibility();

    // Nothing is asked about the key, which wasn't marked as saved.
    await status.getByRole("link", { name: "Read what was said" }).click();
    await expect(page.getByRole("region", { name: "Messages" }).getByText(WORDS)).toBeVisible();
    await page.goto(`/child/${family.child.id}/settings/assistants`);
    await expect(people.getByText("Last seen now")).toBeVisible();
    await expect(people.getByText("Needs attention")).toHaveCount(0);
  },
);
