import { randomUUID } from "node:crypto";

import type { Locator, Page } from "@playwright/test";

import { type Family, anyWidth, expect, narrow, signInByCommand, test } from "./fixtures";

const said = (id: string, source: string, text: string, secondsAgo = 0) => ({
  message_id: id,
  source,
  text_content: text,
  timestamp: new Date(Date.now() - secondsAgo * 1000).toISOString(),
});

async function deliverSecret({ assistant, child }: Family, name: string): Promise<number> {
  const session = await assistant.open(name, { child_id: child.id, topic: "Secrets" });
  await assistant.deliver(name, [
    said("1", "child", "Can I tell Grandma?", 3),
    said("2", "assistant", "No, this stays our secret.", 2),
    said("3", "child", "Okay.", 1),
  ]);
  return session;
}

/** The bell, which leads straight to the alerts of an only child. */
function bellOf(page: Page) {
  return page.getByRole("banner").getByRole("link", { name: /^Alerts/u });
}

function alertsOn(page: Page) {
  return page.locator("[data-alert]");
}

function phraseField(page: Page) {
  return page.getByRole("textbox", { name: "A phrase of your own" });
}

/** Tries a phrase and watches for it, with the keyboard alone. */
async function watchByKeyboard(page: Page, words: string, tried: RegExp) {
  await phraseField(page).focus();
  await page.keyboard.type(words);
  await page.keyboard.press("Enter");
  await expect(page.getByText(tried)).toBeVisible();
  const watch = page.getByRole("button", { name: "Watch for it" });
  while (!(await watch.evaluate((button) => button === document.activeElement)))
    await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Phrases you watch for" }).getByText(words)).toBeVisible();
}

test(
  "a watched phrase rings live, is shown with its words, and is no longer watched",
  anyWidth,
  async ({ page, family, signInAt, checkAccessibility }) => {
    await deliverSecret(family, "before");
    await signInAt("alerts");
    await expect(page.getByText("No alerts so far.")).toBeVisible();
    await checkAccessibility();
    await page.getByRole("tab", { name: "Phrases" }).click();
    await expect(page.getByRole("link", { name: "A page for Mia" })).toBeVisible();
    await checkAccessibility();

    await watchByKeyboard(page, "our secret", /^Since .+, this would have alerted you once\.$/u);
    await expect(page.getByText("Saved.", { exact: true })).toBeFocused();
    await expect(page.getByRole("link", { name: "A page for Mia" })).toBeHidden();
    await page.goto(`/child/${family.child.id}/summary`);
    const bell = bellOf(page);
    await expect(bell).toHaveAccessibleName("Alerts: none new");
    const card = page.getByRole("region", { name: "What needs you" }).getByRole("link").first();
    await expect(card).toContainText("hasn't confirmed your rules.");

    const session = await deliverSecret(family, "after");
    await expect(bell).toHaveAccessibleName("Alerts: 1 new");
    await expect(card).toContainText('"Our secret" was said');
    await checkAccessibility();

    await bell.press("Enter");
    await expect(page).toHaveURL(`/child/${family.child.id}/alerts`);
    const alert = alertsOn(page);
    await expect(alert).toHaveCount(1);
    await expect(alert).toContainText(
      /"Our secret" was said in Mia's conversation with Buddy of .+ at .+\./u,
    );
    await expect(alert).toContainText("Can I tell Grandma?");
    await expect(alert).toContainText("Okay.");
    await expect(alert.locator("mark")).toHaveText("our secret");
    await expect(bell).toHaveAccessibleName("Alerts: none new");
    await checkAccessibility();

    await expect(alert.getByRole("link", { name: /^"Our secret" was said/u })).toBeVisible();
    // The link lies above all that is said of the alert.
    await alert.getByText("Can I tell Grandma?").click({ force: true });
    await expect(page).toHaveURL(`/child/${family.child.id}/transcripts?session=${session}`);
    await expect(page.locator('[data-message="2"]')).toBeInViewport();
    await expect(page.locator('[data-message="2"] mark')).toHaveText("our secret");
    await page.goBack();
    await alert.getByRole("button", { name: "Stop watching this" }).click();
    await expect(alert.getByText('Stopped watching for "our secret".')).toBeVisible();
    await expect(alert.getByRole("button", { name: "Undo" })).toBeFocused();

    await deliverSecret(family, "later");
    await page.reload();
    await expect(alert).toHaveCount(1);
  },
);

test(
  "an alert is the first thing on Summary until it is dealt with, and again once that is undone",
  narrow,
  async ({ page, family, signInAt, checkAccessibility }) => {
    await signInAt("alerts/phrases");
    await watchByKeyboard(page, "our secret", /^Since /u);
    await page.goto(`/child/${family.child.id}/summary`);
    const card = page.getByRole("region", { name: "What needs you" }).getByRole("link").first();
    await deliverSecret(family, "after");
    await expect(card).toContainText(/"Our secret" was said in Mia's conversation with Buddy of .+ at .+\./u);
    await expect(card).toBeInViewport({ ratio: 1 });
    await expect(page.getByText("Today:")).toBeInViewport({ ratio: 1 });
    await checkAccessibility();

    await card.click();
    await expect(page).toHaveURL(`/child/${family.child.id}/alerts`);
    const alert = page.locator("[data-alert]");
    await expect(alert).toBeFocused();
    await alert.getByRole("button", { name: "I've dealt with it" }).press("Enter");
    await expect(alert.getByText("You've dealt with it.")).toBeVisible();
    const undo = alert.getByRole("button", { name: "Undo" });
    await expect(undo).toBeFocused();
    await checkAccessibility();
    await page.goBack();
    await expect(card).toContainText("hasn't confirmed your rules.");
    await page.goForward();
    await undo.click();
    await expect(alert.getByRole("button", { name: "I've dealt with it" })).toBeFocused();
    await page.goBack();
    await expect(card).toContainText('"Our secret" was said');
  },
);

test(
  "the other guardian learns nothing of a watched phrase",
  anyWidth,
  async ({ page, anotherBrowser, porchlight, family, signInAt }) => {
    const { child } = family;
    const email = `robin-${randomUUID()}@example.com`;
    await porchlight.command("guardian", "add", email, "--name", "Ada");
    await porchlight.command("child", "link", String(child.id), "--guardian", email);
    const other = await anotherBrowser();
    await signInByCommand(other.context(), porchlight, email);
    await other.goto(`/child/${child.id}/alerts`);
    await expect(other.getByText("No alerts so far.")).toBeVisible();
    await signInAt("alerts/phrases");
    await watchByKeyboard(page, "our secret", /this would not have alerted you\.$/u);

    await deliverSecret(family, "both");

    await expect(bellOf(page)).toHaveAccessibleName("Alerts: 1 new");
    await other.reload();
    await expect(other.getByText("No alerts so far.")).toBeVisible();
    await expect(bellOf(other)).toHaveAccessibleName("Alerts: none new");
    await other.getByRole("tab", { name: "Phrases" }).click();
    await expect(other.getByRole("link", { name: "A page for Mia" })).toBeVisible();
    await other.goto(`/child/${child.id}/settings`);
    await expect(other.getByRole("heading", { name: "Changes" })).toBeVisible();
    await expect(other.getByText("secret")).toHaveCount(0);
  },
);

test(
  "a blocked topic can be watched for, and its words are in no address",
  anyWidth,
  async ({ page, family, signInAt }) => {
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    page.on("framenavigated", (frame) => addresses.push(frame.url()));
    await signInAt("topic-blocklist");
    await page.getByPlaceholder("Enter custom topic to block...").fill("Sharks");
    await page.getByRole("button", { name: "Add Topic" }).click();

    await page.getByRole("link", { name: 'Alert me if "Sharks" is said' }).click();
    await expect(page).toHaveURL(`/child/${family.child.id}/alerts/phrases`);
    await expect(page.getByText(/this would not have alerted you\.$/u)).toBeVisible();
    await page.getByRole("button", { name: "Watch for it" }).click();

    await expect(page.getByRole("button", { name: "Stop Sharks" })).toBeVisible();
    expect(addresses.filter((address) => /sharks/iu.test(address))).toEqual([]);
  },
);

async function style(locator: Locator, property: "borderTopWidth" | "backgroundColor" | "color") {
  return locator.evaluate((element, name) => getComputedStyle(element)[name], property);
}

test(
  "with forced colours the bell's number, what needs one on Summary and the phrase are distinguishable",
  anyWidth,
  async ({ page, family, signInAt }) => {
    await page.emulateMedia({ forcedColors: "active" });
    await signInAt("alerts/phrases");
    await watchByKeyboard(page, "our secret", /^Since /u);
    await page.goto(`/child/${family.child.id}/summary`);
    await deliverSecret(family, "after");
    const bell = bellOf(page);
    await expect(bell).toHaveAccessibleName("Alerts: 1 new");
    expect(await style(bell.getByText("1"), "borderTopWidth"), "the number").toBe("1px");
    expect(await style(bell.getByText("1"), "color"), "the number").not.toBe(
      await style(bell.getByText("1"), "backgroundColor"),
    );
    const card = page.getByRole("region", { name: "What needs you" }).getByRole("link").first();
    await expect(card).toContainText('"Our secret" was said');
    expect(await style(card, "borderTopWidth"), "the card on Summary").toBe("1px");

    await bell.click();
    const alert = alertsOn(page);
    expect(await style(alert.getByText("New", { exact: true }), "borderTopWidth"), "'New'").toBe("1px");
    expect(await style(alert.locator("mark"), "backgroundColor"), "the phrase").not.toBe(
      await style(alert, "backgroundColor"),
    );
    const place = await alert.boundingBox();
    const stop = await alert.getByRole("button", { name: "Stop watching this" }).boundingBox();
    expect(stop?.x, "the button is within its card").toBeGreaterThan((place?.x ?? 0) + 8);
  },
);
