import { readFileSync } from "node:fs";

import type { Page } from "@playwright/test";

import { type Family, anyWidth, expect, signInByCommand, test, narrow } from "./fixtures";

const CANARY = "canaryoctopus";

/** Delivers a conversation about an octopus and another one. Returns the id of the first. */
async function deliverTwo({ assistant, child }: Family) {
  await assistant.deliverMessage(child.id, `Cats-${child.id}`, "Do cats dream?");
  return assistant.deliverMessage(child.id, `Sea-${child.id}`, CANARY);
}

/** The console messages for a conversation that was erased while it was refetched. */
const GONE = /404/u;

/** Counts the taps on the page. */
function counted(page: Page) {
  let taps = 0;
  const tap = async (role: "button" | "menuitem" | "link", name: string) => {
    taps += 1;
    await page.getByRole(role, { name }).click();
  };
  return { tap, taps: () => taps };
}

test(
  "a conversation is erased in three taps, brought back, and erased permanently",
  narrow,
  async ({ page, family, signInAt, consoleGuard, checkAccessibility }) => {
    consoleGuard.expect(GONE);
    const session = await deliverTwo(family);
    await signInAt(`transcripts?session=${session}`);
    await expect(page.getByText(CANARY)).toBeVisible();
    const { tap, taps } = counted(page);

    await tap("button", "More actions");
    await checkAccessibility();
    await tap("menuitem", "Delete");
    const dialog = page.getByRole("dialog", { name: "Delete" });
    await expect(dialog).toBeVisible();
    await checkAccessibility();
    await dialog.getByRole("button", { name: "Delete" }).click();
    expect(taps() + 1).toBe(3);

    const notice = page.getByText("was deleted.");
    await expect(notice).toBeVisible();
    await expect(page.getByText(CANARY)).toBeHidden();
    await checkAccessibility();
    await page.getByRole("button", { name: "Restore" }).click();
    await expect(page.getByText(CANARY)).toBeVisible();

    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await expect(notice).toBeVisible();
    await expect(page.getByRole("link", { name: /^Cats/u })).toBeVisible();
    await page.getByRole("link", { name: "Recently deleted" }).click();
    await expect(page.getByRole("heading", { name: "Recently deleted for Mia" })).toBeVisible();
    await expect(page.getByText(/^Asked for by you, today /u)).toBeVisible();
    await checkAccessibility();
    await page.getByRole("button", { name: `Delete permanently Sea-${family.child.id}` }).click();
    await checkAccessibility();
    await page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }).click();
    await expect(page.getByText("Nothing yet")).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("heading", { name: "Transcripts for Mia" })).toBeAttached();
    await expect(page.getByText(CANARY)).toHaveCount(0);
  },
);

test(
  "a conversation is moved to another child in three taps",
  narrow,
  async ({ page, family, addChild, signInAt, checkAccessibility }) => {
    const session = await deliverTwo(family);
    const leo = await addChild("Leo");
    await signInAt(`transcripts?session=${session}`);
    await expect(page.getByText(CANARY)).toBeVisible();
    const { tap, taps } = counted(page);

    await tap("button", "More actions");
    await tap("menuitem", "Move to Leo");
    const dialog = page.getByRole("dialog", { name: "Move to Leo" });
    await expect(dialog).toBeVisible();
    await checkAccessibility();
    await dialog.getByRole("button", { name: "Move to Leo" }).click();
    expect(taps() + 1).toBe(3);

    await page.getByRole("link", { name: "Go there" }).click();
    await expect(page).toHaveURL(new RegExp(`/child/${leo}/transcripts`, "u"));
    await expect(page.getByText(CANARY)).toBeVisible();
  },
);

test("a child's data is downloaded in one tap", anyWidth, async ({ page, family, signInAt }) => {
  await deliverTwo(family);
  await signInAt("summary");

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download Mia's data" }).click();

  const download = await downloading;
  expect(download.suggestedFilename()).toBe("porchlight-mia.json");
  expect(readFileSync(await download.path(), "utf8")).toContain(CANARY);
  await expect(page.getByText("The file is in your downloads.")).toBeVisible();
});

test(
  "a conversation erased by one guardian disappears from another guardian's page",
  anyWidth,
  async ({ page, family, signInAt, anotherBrowser, porchlight, consoleGuard }) => {
    consoleGuard.expect(GONE);
    const session = await deliverTwo(family);
    await signInAt(`transcripts?session=${session}`);
    const other = await anotherBrowser();
    await signInByCommand(other.context(), porchlight, family.email);
    await other.goto(`/child/${family.child.id}/transcripts?session=${session}`);
    await expect(other.getByText(CANARY)).toBeVisible();

    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();

    await expect(other.getByText(CANARY)).toHaveCount(0);
    await expect(other.getByText(/^This conversation was deleted, or moved/u)).toBeVisible();
  },
);
