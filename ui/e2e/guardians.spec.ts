import type { Page } from "@playwright/test";

import { canaries } from "./canaries";
import { expect, test, anyWidth } from "./fixtures";

/** The log messages for an expired link, and for a page about a child that the guardian has just left. */
const REFUSED = [
  /^error: Failed to load resource: the server responded with a status of (422|404)/u,
  /^error: RequestFailed: The server answered with status (422|404)/u,
];

const invite = async (page: Page, link = "Show a QR code") => {
  const people = page.getByRole("main");
  await people.getByRole("button", { name: "Invite another guardian" }).click();
  await people.getByRole("button", { name: link }).click();
};

test(
  "a guardian invited by QR code confirms an invitation and stops an erasure",
  anyWidth,
  async ({ page, family, signInAt, anotherBrowser, checkAccessibility, consoleGuard }) => {
    for (const line of REFUSED) consoleGuard.expect(line);
    await signInAt("settings/people");
    const people = page.getByRole("main");
    await invite(page);
    await expect(people.getByRole("heading", { name: "Scan this with the other device" })).toBeFocused();
    await checkAccessibility();
    const link = (await people.getByText(/#token=ivt_/u).textContent()) ?? "no link";
    canaries.note(link.split("#token=")[1] ?? "no token");
    await people.getByRole("button", { name: "Done" }).click();
    await expect(people.getByText(/Nobody has accepted yet/u)).toBeVisible();

    // A phone scans the code and creates a guardian, who sees the child at once.
    const phone = await anotherBrowser();
    await phone.goto(link);
    await expect(phone.getByText(/invites you to see what a child/u)).toBeVisible();
    expect(phone.url()).not.toContain("ivt_");
    await checkAccessibility(phone);
    await phone.getByRole("textbox", { name: "Your name" }).fill("Ben");
    await phone
      .getByRole("textbox", { name: "Your email address" })
      .fill(`ben-${family.child.id}@example.com`);
    await phone.getByRole("button", { name: "Accept" }).click();
    await phone.getByRole("button", { name: "Open Porchlight" }).click();
    await expect(phone.getByRole("heading", { name: `Summary for ${family.child.name}` })).toBeVisible();
    await expect(people.getByText(/^You and Ben see/u)).toBeVisible();

    // The link is no longer valid for anyone else.
    const late = await anotherBrowser();
    await late.goto(link);
    await expect(late.getByRole("alert")).toContainText("does not work any more");

    // The parent asks to erase the child. Ben sees the request without reloading, and stops it.
    const backToSettings = async () => people.getByRole("link", { name: "App Settings" }).click();
    await backToSettings();
    await people.getByRole("link", { name: `${family.child.name}'s profile` }).click();
    await people
      .getByRole("button", { name: `Delete ${family.child.name}'s profile and conversations` })
      .click();
    await page.keyboard.type(family.child.name);
    await page.keyboard.press("Enter");
    const waiting = page.getByRole("region", { name: "Waiting for an answer" });
    await expect(waiting.getByText(/^You asked to delete/u)).toBeVisible();
    const bens = phone.getByRole("region", { name: "Waiting for an answer" });
    await expect(bens.getByText(/asked to delete .* profile and conversations/u)).toBeVisible();
    // The request counts as seen once he uses the page. Others learn of that when the day is over.
    await expect(bens.getByText(/It waits until every other guardian was shown it/u)).toBeVisible();
    await phone.keyboard.press("Shift");
    await expect(bens.getByText(/It takes effect on/u)).toBeVisible();
    await expect(waiting.getByText(/It waits until every other guardian was shown it/u)).toBeVisible();
    await checkAccessibility(phone);
    await bens.getByRole("button", { name: "Stop it" }).click();
    await expect(bens).toHaveCount(0);
    await expect(waiting).toHaveCount(0);
    await backToSettings();
    const changes = page.getByRole("region", { name: "Changes" });
    await expect(changes.getByText("Ben · Stopped the deletion of the child's profile")).toBeVisible();

    // The parent leaves the child; Ben keeps it.
    await people.getByRole("link", { name: `${family.child.name}'s profile` }).click();
    await people.getByRole("button", { name: `Stop seeing ${family.child.name}'s data` }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: `Stop seeing ${family.child.name}'s data` })
      .click();
    await expect(page.getByRole("heading", { name: /welcome/iu })).toBeVisible();
    await phone.reload();
    await expect(phone.getByRole("heading", { name: `Summary for ${family.child.name}` })).toBeVisible();
  },
);
