import type { Page } from "@playwright/test";

import { testWithClock } from "./clock-fixture";
import { anyWidth, expect, signInByCommand, test } from "./fixtures";
import { clockLibrary } from "./server-clock";

const DAY = 24 * 60 * 60;

const howLong = (page: Page) => page.getByRole("region", { name: "How long conversations are kept" });

/** The console messages for a page that was open while its guardian's sign-in ended. */
const SIGNED_OUT = /401/u;

test(
  "a parent chooses for how long conversations are kept, and the child's page says it",
  anyWidth,
  async ({ page, family, signInAt, checkAccessibility }) => {
    await family.assistant.deliverMessage(family.child.id, "Sea", "How deep is it?");
    await signInAt("settings/profile");
    await expect(howLong(page).getByRole("radio", { name: "For ever" })).toBeChecked();
    await checkAccessibility();

    await howLong(page).getByRole("radio", { name: "1 year" }).click();
    const dialog = page.getByRole("dialog", { name: "Keep them for 1 year" });
    await expect(dialog).toContainText("0 conversations would be deleted now.");
    await checkAccessibility();
    await dialog.getByRole("button", { name: "Keep them for 1 year" }).click();
    await expect(howLong(page).getByRole("radio", { name: "1 year" })).toBeChecked();
    await page.getByRole("main").getByRole("link", { name: "App Settings" }).click();
    await expect(page.getByText("How long conversations are kept: for 1 year")).toBeVisible();
    await expect(page.getByText("Conversations are kept for 1 year")).toBeVisible();

    await page.goto(`/child/${family.child.id}/for-child`);
    await page.getByRole("radio", { name: "6 to 9" }).check();
    await expect(page.getByRole("article", { name: "The page" })).toContainText("How long? One year.");

    await page.goto(`/child/${family.child.id}/settings/profile`);
    await howLong(page).getByRole("radio", { name: "For ever" }).click();
    await expect(howLong(page).getByRole("radio", { name: "For ever" })).toBeChecked();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  },
);

test(
  "a conversation is kept on every open page, until its guardian keeps it no longer",
  anyWidth,
  async ({ page, family, porchlight, signInAt, anotherBrowser, checkAccessibility }) => {
    const session = await family.assistant.deliverMessage(family.child.id, "Sea", "How deep is it?");
    const path = `transcripts?session=${session}`;
    await signInAt(path);
    const other = await anotherBrowser();
    await signInByCommand(other.context(), porchlight, family.email);
    await other.goto(`/child/${family.child.id}/${path}`);
    await expect(other.getByText("How deep is it?")).toBeVisible();
    await expect(page.getByText(/^Kept by/u)).toHaveCount(0);

    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Keep", exact: true }).click();
    await expect(page.getByText(/^Kept by/u)).toBeVisible();
    await expect(other.getByText(/^Kept by/u)).toBeVisible();
    await checkAccessibility();

    await other.getByRole("button", { name: "More actions" }).click();
    await other.getByRole("menuitem", { name: "Don't keep any longer" }).click();
    await expect(other.getByText(/^Kept by/u)).toHaveCount(0);
    await expect(page.getByText(/^Kept by/u)).toHaveCount(0);
  },
);

const later = testWithClock();

later.describe("after ninety days", () => {
  later.skip(clockLibrary === undefined, "libfaketime is missing. Run: apt-get install faketime");

  later(
    "an old conversation is deleted, and a restored one is kept",
    anyWidth,
    async ({ page, family, porchlight, clock, signInAt, consoleGuard }) => {
      consoleGuard.expect(SIGNED_OUT);
      await family.assistant.deliverMessage(family.child.id, "Sea", "How deep is it?");
      await signInAt("settings/profile");
      await howLong(page).getByRole("radio", { name: "90 days" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Keep them for 90 days" }).click();
      await expect(howLong(page).getByRole("radio", { name: "90 days" })).toBeChecked();
      await page.goto("about:blank");

      // The server trusts the new time once the administrator accepts it, and deletes soon after its start.
      await clock.advance(91 * DAY);
      await porchlight.command("clock", "accept");
      await porchlight.killAndStart();

      await signInByCommand(page.context(), porchlight, family.email);
      const deleted = `/child/${family.child.id}/transcripts/deleted`;
      await expect(async () => {
        await page.goto(deleted);
        await expect(
          page.getByText(/^Older than you keep conversations\. You can restore it until /u),
        ).toBeVisible();
      }).toPass();
      await page.getByRole("button", { name: "Restore Sea" }).click();
      await page.goto(`/child/${family.child.id}/transcripts`);
      await page.getByRole("link", { name: /^Sea/u }).click();
      await expect(page.getByText("How deep is it?")).toBeVisible();
      await expect(page.getByText(/^Kept by/u)).toBeVisible();
    },
  );
});
