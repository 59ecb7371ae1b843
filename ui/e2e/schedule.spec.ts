import type { Page } from "@playwright/test";

import { anyWidth, expect, test } from "./fixtures";

/** Waits until the last change is saved. */
async function saved(page: Page) {
  await expect(page.getByText("Saving changes...")).toBeHidden();
  await expect(page.getByText("Saved.")).toBeAttached();
}

function quietHours(page: Page) {
  return page.getByRole("list", { name: "Quiet hours" }).getByRole("listitem");
}

function changes(page: Page) {
  return page.getByRole("list", { name: "Changes" }).getByRole("listitem");
}

/** Opens the form, with every night in it, and saves other days and times. */
async function addQuietHours(page: Page, from: string, to: string) {
  await page.getByRole("button", { name: "Add quiet hours" }).click();
  await page.getByLabel("From", { exact: true }).fill(from);
  await page.getByLabel("To", { exact: true }).fill(to);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await saved(page);
}

test("one tap on Summary, without scrolling, pauses talking, also for the assistant", async ({
  page,
  family: { assistant, child },
  isMobile,
  signInAt,
  checkAccessibility,
}) => {
  await signInAt("summary");
  expect((await assistant.rules(child.id)).talk).toMatchObject({ allowed: true });
  const line = page.getByRole("region", { name: "Now" });
  const button = page.getByRole("button", { name: "Pause for an hour" });
  await expect(button).toBeInViewport({ ratio: 1 });
  const heightBefore = (await line.locator("div").first().boundingBox())?.height;
  if (!isMobile) await checkAccessibility();

  await button.click();
  const unanswered = "No answer yet from an assistant. It may go on talking.";
  await expect(line.getByText(unanswered)).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo" })).toBeFocused();
  const { talk } = await assistant.rules(child.id);
  expect(talk).toMatchObject({ allowed: false, why: "paused" });
  expect(talk.goodbye).toBeTruthy();
  expect(talk.until).toBeDefined();
  await expect(line.getByText(unanswered)).toBeHidden();
  await expect(line.getByText(/^Paused until /u)).toBeVisible();
  expect((await line.locator("div").first().boundingBox())?.height).toBe(heightBefore);
  if (!isMobile) await checkAccessibility();

  await page.getByRole("button", { name: "Until resumed" }).click();
  // Until the server answers, the line says "One moment...", and not yet that talking is paused.
  await expect(line.getByText(unanswered)).toBeVisible();
  expect((await assistant.rules(child.id)).talk.until).toBeUndefined();
  await expect(line.getByText("Paused until resumed")).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(button).toBeFocused();
  await expect(line.getByText("Not talking", { exact: true })).toBeVisible();
  expect((await assistant.rules(child.id)).talk).toMatchObject({ allowed: true });
});

test(
  "quiet hours, minutes and the time zone are saved, and the history shows who changed them",
  anyWidth,
  async ({ page, family: { assistant, child }, signInAt, checkAccessibility }) => {
    await signInAt("settings");
    await expect(page.getByRole("heading", { name: "App Settings", level: 1 })).toBeVisible();
    await expect(page.getByText("Nothing yet")).toBeVisible();
    await checkAccessibility();
    await page.getByRole("link", { name: /^Times/u }).click();
    await expect(page.getByRole("heading", { name: "Times", level: 1 })).toBeFocused();
    await checkAccessibility();

    await page.getByRole("button", { name: "Add quiet hours" }).click();
    await expect(page.getByText(/the next day$/u)).toBeVisible();
    await page.getByRole("button", { name: "Sunday" }).click();
    await checkAccessibility();
    await page.getByRole("button", { name: "Cancel" }).click();
    await addQuietHours(page, "20:30", "07:00");
    await expect(quietHours(page)).toHaveText([/Every day\s*8:30 PM to 7:00 AM the next day/u]);

    await page.getByRole("textbox", { name: "Minutes" }).fill("45");
    await page.getByRole("button", { name: "Save Daily limit" }).click();
    await saved(page);
    await page.getByRole("combobox", { name: "Time zone" }).selectOption("Asia/Tokyo");
    await page.getByRole("button", { name: "Save Time zone" }).click();
    await saved(page);
    await checkAccessibility();

    await page.getByRole("main").getByRole("link", { name: "App Settings" }).click();
    await expect(page.getByRole("link", { name: /^Times/u })).toHaveText(
      /Quiet hours: 8:30 PM to 7:00 AM · 45 minutes a day$/u,
    );
    await expect(changes(page)).toHaveText([
      / · You · Time zone: Japan Standard Time$/u,
      / · You · Daily limit: 45 minutes$/u,
      / · You · Quiet hours: \(nothing\) → 8:30\sPM – 7:00\sAM$/u,
    ]);
    await page.goBack();
    await page.reload();
    await expect(quietHours(page)).toHaveCount(1);
    await expect(page.getByRole("textbox", { name: "Minutes" })).toHaveValue("45");
    await expect(page.getByRole("combobox", { name: "Time zone" })).toHaveValue("Asia/Tokyo");
    await expect(page.getByText("0 minutes used today.")).toBeVisible();
    const { talk } = await assistant.rules(child.id);
    expect(talk.seconds_left).toBe(45 * 60);

    await page.getByRole("button", { name: /^Remove Every day/u }).click();
    await expect(page.getByText("No quiet hours", { exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "Add quiet hours" })).toBeFocused();
    await saved(page);
    await checkAccessibility();

    // Removed by mistake.
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(quietHours(page)).toHaveText([/Every day\s*8:30 PM to 7:00 AM the next day/u]);
    await saved(page);
    await page.reload();
    await expect(quietHours(page)).toHaveCount(1);

    // The line on Summary leads here.
    await page.getByRole("link", { name: "Summary" }).first().click();
    await page.getByRole("link", { name: "Quiet hours: 8:30 PM to 7:00 AM · 45 minutes a day" }).click();
    await expect(page.getByRole("heading", { name: "Times", level: 1 })).toBeFocused();
  },
);

test("the times can be edited with the keyboard alone", anyWidth, async ({ page, signInAt }) => {
  await signInAt("settings/times");
  await page.getByRole("button", { name: "Add quiet hours" }).focus();

  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Monday" })).toBeFocused();
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Monday" })).toHaveAttribute("aria-pressed", "false");
  await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
  await expect(quietHours(page)).toHaveText([/Tue to Sun/u]);
  await expect(page.getByRole("button", { name: "Add quiet hours" })).toBeFocused();
  await saved(page);

  await page.getByRole("button", { name: /^Change Tue to Sun/u }).press("Enter");
  await expect(page.getByRole("button", { name: "Monday" })).toBeFocused();
  await page.getByRole("button", { name: "Cancel" }).press("Enter");
  await expect(page.getByRole("button", { name: /^Change Tue to Sun/u })).toBeFocused();
});
