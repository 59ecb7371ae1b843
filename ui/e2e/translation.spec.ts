import type { BrowserContext, Page } from "@playwright/test";

import { anyWidth, expect, test } from "./fixtures";

/**
 * Does to all present and future texts what a browser's translator does: replaces them by `<font>` elements. The words stay the
 * same. src/ui/translated-page.test.tsx has another way.
 */
async function translate(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- all of it is sent to the browser
    const translateAll = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode() !== null) {
        const { currentNode: text } = walker;
        if (text instanceof Text && text.parentElement?.closest("font, script, style") === null)
          texts.push(text);
      }
      for (const text of texts) {
        const outer = document.createElement("font");
        const inner = document.createElement("font");
        outer.append(inner);
        text.replaceWith(outer);
        inner.append(text.data);
      }
    };
    addEventListener("DOMContentLoaded", () => {
      // A translator translates in batches, after a delay.
      new MutationObserver(() => setTimeout(translateAll)).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
      });
    });
  });
}

/** Checks that every text of the page is translated. */
async function expectTranslated(page: Page): Promise<void> {
  await expect(page.locator("main h1 font font")).not.toHaveCount(0);
  await expect(page.getByText("This page could not be shown")).toHaveCount(0);
}

test(
  "a page changed by a translator keeps working: live events, a topic, a pause",
  anyWidth,
  async ({ page, context, family: { assistant, child }, signInAt }) => {
    await translate(context);
    await signInAt("summary");
    await expectTranslated(page);
    const line = page.getByRole("link", { name: /^Talking with Buddy of .* now$/u });
    await assistant.open("live", { child_id: child.id, topic: "The sea" });
    await assistant.deliver("live", [
      {
        message_id: "1",
        source: "child",
        text_content: "Why is the sea salty?",
        timestamp: new Date().toISOString(),
      },
    ]);
    await expect(line).toBeVisible();
    await assistant.complete("live", { duration: 60 });
    await expect(line).toBeHidden();
    await expect(page.getByText(/Talking with/u)).toHaveCount(0);

    await page.getByRole("button", { name: "Pause for an hour" }).click();
    await expect(page.getByText(/^Paused until /u)).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText(/^Paused until /u)).toHaveCount(0);
    await expectTranslated(page);

    await page.goto(`/child/${child.id}/topic-blocklist`);
    const field = page.getByRole("textbox", { name: "A topic of your own" });
    for (const topic of ["Volcanoes", "Sharks"]) {
      await field.fill(topic);
      await field.press("Enter");
      await expect(page.getByRole("button", { name: new RegExp(topic, "u") })).toBeVisible();
    }
    await page.getByRole("button", { name: "Remove Volcanoes" }).click();
    await expect(page.getByRole("button", { name: "Remove Volcanoes" })).toHaveCount(0);
    await expect(page.locator("p").filter({ hasText: /Removed: Volcanoes\./u })).toBeVisible();
    await expectTranslated(page);
  },
);
