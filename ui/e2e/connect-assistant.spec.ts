import type { Page } from "@playwright/test";

import { Assistant } from "./assistant";
import { canaries } from "./canaries";
import { expect, test, narrow } from "./fixtures";

const WORDS = "Why is the moon following us?";

/** Connects an assistant with the given name. Returns its key. */
async function connect(page: Page, name: string): Promise<string> {
  const people = page.getByRole("main");
  await people.getByRole("button", { name: "Connect an assistant" }).click();
  await page.keyboard.type(name);
  await people.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(people.getByRole("heading", { name: `The key of ${name}` })).toBeFocused();
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
    await people.getByRole("combobox", { name: "What the assistant runs on" }).selectOption("livekit");
    for (const label of ["Copy the command", "Copy the variable", "Copy the line"]) {
      await expect(people.getByRole("button", { name: label })).toBeVisible();
    }
    const status = people.getByRole("region", { name: "Connection of Attic" });
    await expect(status.getByText("Waiting for the first word…")).toBeVisible();
    await checkAccessibility();
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(beyond).toBeLessThanOrEqual(0);
    await people.getByRole("button", { name: "I've saved the key" }).click();

    await new Assistant(porchlight.url, key).deliverMessage(family.child.id, "moon", WORDS);

    await expect(status.getByText("Attic was heard ✓")).toBeVisible();
    await status.getByText("For its maker: what has worked").click();
    await expect(status.getByText("Messages have their own times: seen")).toBeVisible();
    await expect(people.getByText("Seen just now")).toBeVisible();
    await checkAccessibility();
  },
);
