import type { Page } from "@playwright/test";

import { type Family, expect, signInByCommand, test as base, narrow } from "./fixtures";
import { Porchlight } from "./porchlight";
import { ScriptedModel } from "./scripted-model";

const WORDS = "Let us keep this between the two of us.";

const HELPLINE = "Childline 0800 1111";

const test = base.extend<object, { model: ScriptedModel }>({
  model: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      await use(new ScriptedModel({ words: WORDS, concern: "danger", severity: "urgent" }));
    },
    { scope: "worker" },
  ],

  porchlight: [
    async ({ postOffice, model }, use) => {
      const options = [...(await model.open()), "--helpline", HELPLINE];
      const porchlight = await Porchlight.start(await postOffice.open(), { options });
      await use(porchlight);
      await porchlight.stop();
    },
    { scope: "worker" },
  ],
});

// One worker, because the administrator measures the model of each server, which takes as long as a test.
test.describe.configure({ mode: "default" });

const PAGE = "settings/ai-reader";

const state = (page: Page, name: string) => page.getByRole("heading", { level: 2, name, exact: true });
const alerts = (page: Page) => page.locator("[data-alert]");

/** Another guardian of the child, in another browser. */
async function ben(family: Family, porchlight: Porchlight, page: Page): Promise<void> {
  const email = `ben-${family.child.id}@example.com`;
  await porchlight.command("guardian", "add", email, "--name", "Ben");
  await porchlight.command("child", "link", String(family.child.id), "--guardian", email);
  await signInByCommand(page.context(), porchlight, email);
}

async function expectNoOverflow(page: Page): Promise<void> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(beyond).toBeLessThanOrEqual(0);
}

const say = (id: string, source: string, text: string) => ({
  message_id: id,
  source,
  text_content: text,
  timestamp: new Date().toISOString(),
});

/** A conversation that has ended, with the words in it. */
async function talk({ assistant, child }: Family, name: string): Promise<void> {
  await assistant.open(name, { child_id: child.id, topic: name });
  await assistant.deliver(name, [
    say("1", "child", "Who are you really?"),
    say("2", "assistant", `A friend. ${WORDS}`),
    say("3", "child", "Fine."),
  ]);
  await assistant.complete(name, { duration: 60 });
}

test(
  "a parent reads where every word goes, switches it on, and gets an alert that is not worrying",
  narrow,
  async ({ page, family, porchlight, model, signInAt, checkAccessibility }) => {
    await signInAt(PAGE);
    await model.test(porchlight);
    await page.reload();
    await expect(state(page, "Off")).toBeVisible();
    const where = page.getByRole("region", { name: "Where every word goes" });
    await expect(where).toContainText(model.host);
    await expect(where).toContainText("Outside of your home");
    await expect(where).toContainText(/In its test it pointed at .+ places that it should find/u);
    await page.locator("summary", { hasText: /^Details$/u }).press("Enter");
    await expect(page.getByRole("table").getByRole("row")).toHaveCount(10);
    await expectNoOverflow(page);
    await checkAccessibility();

    // With the keyboard alone.
    await page.getByRole("button", { name: "Switch on" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Switch the AI reader on for Mia?" });
    await expect(dialog).toContainText("Outside of your home.");
    await checkAccessibility();
    await dialog.getByRole("button", { name: "Switch on" }).press("Enter");
    await expect(state(page, "On")).toBeVisible();
    await expect(page.getByText(/^Asked for by you, today/u)).toBeVisible();
    await checkAccessibility();

    await talk(family, "Friends");
    await page.goto(`/child/${family.child.id}/alerts`);
    await expect(page.getByRole("heading", { name: "Alerts for Mia" })).toBeVisible();
    const alert = alerts(page).first();
    await expect(alert).toContainText(
      'An AI reader flagged "dangerous acts and substances" in Mia\'s conversation',
    );
    await expect(alert).toContainText("The model reader said so.");
    await expect(alert.getByText("Urgent")).toBeVisible();
    await expect(alert.locator("mark")).toHaveText(WORDS);
    await expect(alert).toContainText("Who are you really?");
    await expect(alert).toContainText("Fine.");

    await alert.locator("summary").press("Enter");
    await expect(alert.getByRole("link", { name: HELPLINE })).toHaveAttribute("href", "tel:08001111");
    await expectNoOverflow(page);
    await checkAccessibility();

    const choose = async (item: RegExp | string) => {
      await alert.getByRole("button", { name: "Not worrying" }).press("Enter");
      await page.getByRole("menuitem", { name: item }).press("Enter");
    };
    await choose("Only this one");
    await expect(alert.getByText("Not worrying: Only this one")).toBeVisible();
    await expect(alert.getByRole("button", { name: "Undo" })).toBeFocused();
    await checkAccessibility();
    await page.keyboard.press("Enter");
    await expect(alert.getByRole("button", { name: "Not worrying" })).toBeFocused();

    await choose(/^All "dangerous acts/u);
    const unworried = page.getByRole("region", { name: "Not worrying" });
    await expect(unworried.getByRole("listitem")).toHaveText(/^Dangerous acts and substances/u);
    await checkAccessibility();
    await unworried.getByRole("button", { name: /^Undo Dangerous acts/u }).click();
    await expect(unworried).toHaveCount(0);
    await expect(alert.getByRole("button", { name: "Not worrying" })).toBeVisible();
  },
);

test(
  "outside of the home it waits for the other guardian, who can agree, and whose alerts are their own",
  narrow,
  async ({ page, family, porchlight, model, signInAt, anotherBrowser, checkAccessibility }) => {
    await model.test(porchlight);
    const other = await anotherBrowser();
    await ben(family, porchlight, other);
    await other.goto(`/child/${family.child.id}/summary`);
    await expect(other.getByRole("heading", { level: 1 })).toBeVisible();
    const waiting = other.getByRole("region", { name: "Waiting for an answer" });
    await expect(waiting).toHaveCount(0);
    await signInAt(PAGE);

    await page.getByRole("button", { name: "Switch on" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Switch on" }).click();
    await expect(state(page, "Waits for the other guardians")).toBeVisible();
    await expect(page.getByText(/^It begins once every other guardian has agreed/u)).toBeVisible();
    await talk(family, "Early");

    await expect(waiting).toContainText("Robin Keller wants an AI reader to read Mia's conversations.");
    await checkAccessibility(other);
    await waiting.getByRole("link", { name: "Where every word goes" }).click();
    await expect(state(other, "Waits for your answer")).toBeVisible();
    await expect(waiting).toHaveCount(0);
    await expect(other.getByText(/^Asked for by Robin Keller, /u)).toBeVisible();
    await checkAccessibility(other);
    // Somebody uses the page, so it was shown. Others learn of that when the day is over.
    await other.getByRole("region", { name: "Where every word goes" }).click();
    await expect(other.getByText(/^It takes effect on /u)).toBeVisible();
    await expect(page.getByText(/^It begins once every other guardian has agreed/u)).toBeVisible();
    await other.getByRole("button", { name: "Agree" }).click();
    await other.getByRole("dialog").getByRole("button", { name: "Agree" }).click();
    await expect(state(other, "On")).toBeVisible();
    await expect(state(page, "On")).toBeVisible();

    await talk(family, "Friends");
    await page.goto(`/child/${family.child.id}/alerts`);
    await other.goto(`/child/${family.child.id}/alerts`);
    await expect(alerts(page)).toHaveCount(1);
    await expect(alerts(other)).toHaveCount(1);
    await expect(alerts(page).getByRole("link", { name: /^An AI reader flagged/u })).toBeVisible();
    await alerts(page).getByRole("button", { name: "Not worrying" }).click();
    await page.getByRole("menuitem", { name: /^All "dangerous acts/u }).click();
    await expect(page.getByRole("region", { name: "Not worrying" })).toBeVisible();
    await other.reload();
    await expect(alerts(other).getByRole("button", { name: "Not worrying" })).toBeVisible();
    await expect(other.getByRole("region", { name: "Not worrying" })).toHaveCount(0);

    await other.goto(`/child/${family.child.id}/${PAGE}`);
    await page.goto(`/child/${family.child.id}/${PAGE}`);
    await expect(state(page, "On")).toBeVisible();
    await other.getByRole("button", { name: "Switch off" }).click();
    await expect(state(page, "Off")).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "App Settings" }).click();
    await expect(page.getByText("AI reader: Off")).toBeVisible();
  },
);
