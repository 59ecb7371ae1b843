import type { Page } from "@playwright/test";

import { anyWidth, expect, test } from "./fixtures";
import { CACHE_CLEARED } from "./network-gate";
import { linkIn } from "./post-office";

/** Presses Tab until the element with this role and name has the focus. */
async function tabTo(
  page: Page,
  role: "link" | "button" | "textbox" | "combobox" | "tab",
  name: string | RegExp,
) {
  const wanted = page.getByRole(role, { name, exact: true });
  for (let pressed = 0; pressed < 80; pressed += 1) {
    await page.keyboard.press("Tab");
    for (const candidate of await wanted.all()) {
      if (await candidate.evaluate((element) => element === document.activeElement)) return;
    }
  }
  throw new Error(`The keyboard does not reach ${role} "${name}".`);
}

test(
  "the main tasks work with the keyboard alone",
  anyWidth,
  async ({ page, family, addChild, postOffice, consoleGuard }) => {
    consoleGuard.expect(CACHE_CLEARED);
    const noah = await addChild("Noah");
    const { assistant } = family;
    await assistant.deliverMessage(family.child.id, "Kites", "Why do kites fly?");
    await assistant.propose(family.child.id, [{ activity_id: "a1", topic: "Build a kite" }]);

    // Sign in by the e-mail.
    await page.goto("/login");
    await tabTo(page, "textbox", "Email");
    await page.keyboard.type(family.email);
    await page.keyboard.press("Enter");
    await expect(page.getByText(`Sign-in link sent to ${family.email}. Check your inbox!`)).toBeVisible();
    await page.goto(linkIn(await postOffice.emailTo(family.email)));
    await expect(page.getByRole("heading", { name: `Summary for ${family.child.name}` })).toBeVisible();

    // Switch to the other child and back.
    await tabTo(page, "combobox", "Child");
    await page.keyboard.type("Noah");
    await expect(page).toHaveURL(`/child/${noah}/summary`);
    // An arrow key, because letters typed at once would continue the typeahead "Noah".
    await page.keyboard.press("ArrowUp");
    await expect(page).toHaveURL(`/child/${family.child.id}/summary`);

    // Read a transcript.
    await page.keyboard.press("Home");
    await tabTo(page, "link", "Transcripts");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Transcripts for Mia" })).toBeFocused();
    await tabTo(page, "link", /^Kites/u);
    await page.keyboard.press("Enter");
    await expect(page.getByText("Why do kites fly?")).toBeVisible();

    // Block a topic.
    await tabTo(page, "link", "Topic Block List");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Topic Block List for Mia" })).toBeFocused();
    await tabTo(page, "textbox", /topic/iu);
    await page.keyboard.type("Horror films");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("listitem").filter({ hasText: "Horror films" })).toBeVisible();

    // Give feedback on an upcoming activity.
    await tabTo(page, "link", "Activities");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Activities for Mia" })).toBeFocused();
    await tabTo(page, "tab", "Completed");
    await page.keyboard.press("ArrowRight");
    await expect(page).toHaveURL(`/child/${family.child.id}/activities/upcoming`);
    await tabTo(page, "button", /^Like/u);
    await page.keyboard.press("Enter");
    await tabTo(page, "button", "Submit");
    await page.keyboard.press("Enter");
    await expect(page.getByText("No upcoming sessions scheduled or recommended.")).toBeVisible();

    // Sign out.
    await tabTo(page, "button", "Your account");
    await page.keyboard.press("Enter");
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowUp");
    await expect(page.getByRole("menuitem", { name: "Sign out", exact: true })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Sign In with Email Link" })).toBeVisible();
  },
);
