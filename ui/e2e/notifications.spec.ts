import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

import type { Page } from "@playwright/test";

import { canaries } from "./canaries";
import { testWithClock } from "./clock-fixture";
import { type Family, anyWidth, test as base, expect, textIn } from "./fixtures";
import { Porchlight } from "./porchlight";
import type { PostOffice } from "./post-office";
import { clockLibrary } from "./server-clock";
import { trustContract } from "../src/api/trust-contract";

/** After this a sign-in is no step-up any more, and the next message may come. */
const ELEVEN_MINUTES = 11 * 60;

const SAID = "No, this stays our secret.";

/** The subject of every e-mail about alerts. */
const SUBJECT = "Something to look at in Porchlight";

/** The console messages for a call that requires step-up, and for an expired token. */
const REFUSED = [
  /^error: Failed to load resource: the server responded with a status of (401|403)/u,
  /^error: RequestFailed: The server answered with status 403/u,
];

const test = testWithClock();

/** With an address that e-mail providers can reach, or so the server believes. */
const published = base.extend({
  porchlight: [
    async ({ postOffice }, use) => {
      const publicUrl = "https://porchlight.example.com";
      const porchlight = await Porchlight.start(await postOffice.open(), { publicUrl });
      await use(porchlight);
      await porchlight.stop();
    },
    { scope: "worker" },
  ],
});

/** What the ntfy server was sent. */
interface Published {
  topic: string;
  title: string;
  message: string;
}

/** With an ntfy server, which keeps what it is sent. */
const notifying = base.extend<object, { published: Published[] }>({
  published: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here
    async ({}, use) => use([]),
    { scope: "worker" },
  ],

  porchlight: [
    async ({ postOffice, published: sent }, use) => {
      const server = createServer((request, response) => {
        void (async () => {
          sent.push(trustContract<Published>(await json(request)));
          response.setHeader("Content-Type", "application/json").end("{}");
        })();
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      if (address === null || typeof address === "string") throw new Error("The ntfy server has no port.");
      const options = ["--ntfy", `http://127.0.0.1:${address.port}`];
      const porchlight = await Porchlight.start(await postOffice.open(), { options });
      await use(porchlight);
      await porchlight.stop();
      server.close();
    },
    { scope: "worker" },
  ],
});

async function deliverSecret({ assistant, child }: Family, name: string): Promise<void> {
  await assistant.open(name, { child_id: child.id });
  const timestamp = new Date().toISOString();
  await assistant.deliver(name, [
    { message_id: "1", source: "child", text_content: "Can I tell Grandma?", timestamp },
    { message_id: "2", source: "assistant", text_content: SAID, timestamp },
  ]);
}

const atOnce = (page: Page) => page.getByRole("checkbox", { name: "Send me an email", exact: true });
const quotes = (page: Page) => page.getByRole("checkbox", { name: "Include quotes and topics in my emails" });
const saved = (page: Page) => page.getByRole("main").getByText("Saved.");

/** Watches for "our secret", and chooses an e-mail at once from the offer that follows. */
async function subscribe(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "A phrase of your own" }).fill("our secret");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Watch for it" }).click();
  await page.getByRole("main").getByRole("link", { name: "Choose how we tell you" }).click();
  await expect(page.getByRole("heading", { name: "Subscription", level: 1 })).toBeFocused();
  await expect(atOnce(page)).not.toBeChecked();
  await atOnce(page).press("Space");
  await expect(saved(page)).toBeVisible();
}

/** The next e-mail to an address, apart from those about a new sign-in. */
async function nextTo(postOffice: PostOffice, address: string, subject: string) {
  const mail = await postOffice.emailTo(address);
  if (mail.subject === "A new sign-in to Porchlight") return nextTo(postOffice, address, subject);
  expect(mail.subject).toBe(subject);
  return mail;
}

test.describe("at once", () => {
  test.skip(clockLibrary === undefined, "libfaketime is missing. Run: apt-get install faketime");

  test(
    "emails come without words, and with them after confirming",
    anyWidth,
    async ({ page, family, postOffice, clock, signInAt, checkAccessibility, consoleGuard }) => {
      for (const line of REFUSED) consoleGuard.expect(line);
      await signInAt("alerts/phrases");
      await subscribe(page);
      await checkAccessibility();

      await deliverSecret(family, "first");
      const first = await nextTo(postOffice, family.email, SUBJECT);
      expect(first.text).toContain("A phrase that you watch for was said in Mia's conversation.");
      expect(`${first.text} ${first.html}`).not.toMatch(/secret|Grandma/u);

      await clock.advance(ELEVEN_MINUTES);
      await quotes(page).click();
      const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
      await checkAccessibility();
      await dialog.getByRole("button", { name: "Send the code" }).click();
      const { text } = await postOffice.emailTo(family.email);
      const code = /^\d{3} \d{3}$/mu.exec(text ?? "")?.[0] ?? "no code";
      canaries.note(code);
      await dialog.getByRole("textbox").fill(code);
      await page.keyboard.press("Enter");
      await expect(dialog).toBeHidden();
      await expect(quotes(page)).toBeChecked();
      await expect(page.getByText(/^On since .+$/u)).toBeVisible();
      await nextTo(postOffice, family.email, "Your Porchlight emails will include quotes");

      await deliverSecret(family, "second");
      const second = await nextTo(postOffice, family.email, SUBJECT);
      expect(second.text).toContain(SAID);

      await page.goto("/you");
      await expect(page.getByText(/^Quotes and topics: On since /u)).toBeVisible();
      await checkAccessibility();
    },
  );

  test(
    "quiet hours, the day of the weekly email and a time zone stay after a reload, on another child's page too",
    anyWidth,
    async ({ page, addChild, signInAt, checkAccessibility }) => {
      const noah = await addChild("Noah");
      await signInAt("subscription");
      await atOnce(page).click();
      await page.getByRole("button", { name: "Add quiet hours" }).click();
      await checkAccessibility();
      await page.keyboard.press("Enter");
      await expect(page.getByText("10:00 PM to 7:00 AM the next day")).toBeVisible();
      await page.getByRole("checkbox", { name: "Send me an email once a week" }).click();
      await page.getByRole("combobox", { name: "Day" }).selectOption("Friday");
      await page.getByRole("combobox", { name: "Hour" }).selectOption("7:00 AM");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await expect(saved(page)).toBeVisible();
      // The device's clock is the first one.
      await expect(page.getByRole("combobox", { name: "Time zone" })).toHaveValue("America/New_York");
      await page.getByRole("radio", { name: "Only some" }).click();
      await page.getByRole("checkbox", { name: "Noah" }).click();
      await expect(saved(page)).toBeVisible();
      await checkAccessibility();

      await page.goto(`/child/${noah}/subscription`);
      await expect(page.getByText("10:00 PM to 7:00 AM the next day")).toBeVisible();
      await expect(page.getByRole("combobox", { name: "Day" })).toHaveValue("fri");
      await expect(page.getByRole("combobox", { name: "Hour" })).toHaveValue("7");
      await expect(page.getByRole("checkbox", { name: "Mia" })).toBeChecked();
      await expect(page.getByRole("checkbox", { name: "Noah" })).not.toBeChecked();
      await page.getByRole("button", { name: "Remove" }).click();
      await page.getByRole("button", { name: "Undo" }).click();
      await expect(page.getByText("10:00 PM to 7:00 AM the next day")).toBeVisible();
    },
  );

  test("the bell leads there", anyWidth, async ({ page, family, signInAt }) => {
    await signInAt("summary");

    await page
      .getByRole("banner")
      .getByRole("link", { name: /^Alerts/u })
      .click();
    await page.getByRole("link", { name: "Choose how we tell you" }).click();

    await expect(page).toHaveURL(`/child/${family.child.id}/subscription`);
    await expect(page.getByRole("heading", { name: "Subscription", level: 1 })).toBeFocused();
  });
});

published(
  "the link in an email asks first, and unsubscribes a guardian who is signed out",
  anyWidth,
  async ({ page, porchlight, family, postOffice }) => {
    const token = textIn(await porchlight.command("token", family.email), "identity_token");
    const call = async (method: string, path: string, data?: unknown): Promise<unknown> => {
      const answer = await fetch(`${porchlight.url}/api${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        ...(data !== undefined && { body: JSON.stringify(data) }),
      });
      expect(answer.ok, `${method} ${path}`).toBe(true);
      return answer.json();
    };
    await call("PUT", `/child/${family.child.id}/watched_phrases`, [{ words: "our secret", side: "either" }]);
    await call("PUT", "/subscription", {
      time_zone: "UTC",
      at_once: { email: true, kinds: ["phrase"], urgent_passes: false },
      weekly: { enabled: false, weekday: "sun", hour: 18 },
      quotes: false,
      webhook_refused: false,
    });
    await deliverSecret(family, "talk");
    const mail = await postOffice.emailTo(family.email);
    const header = mail.headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "no link";
    const link = new URL(header.replaceAll(/[<>]/gu, ""));
    expect(link.origin).toBe("https://porchlight.example.com");
    canaries.note(link.pathname.split("/").at(-1) ?? "no token");

    await page.goto(porchlight.url + link.pathname);
    await expect(page.getByRole("heading", { name: "Stop these emails?" })).toBeVisible();
    expect(await call("GET", "/subscription")).toMatchObject({ settings: { at_once: { email: true } } });
    await page.getByRole("button", { name: "Unsubscribe" }).click();

    await expect(page.getByRole("heading", { name: "You are unsubscribed" })).toBeVisible();
    expect(await call("GET", "/subscription")).toMatchObject({ settings: { at_once: { email: false } } });
  },
);

notifying(
  "notifications go to a phone by ntfy, without names and words, until notifications are switched off",
  anyWidth,
  async ({ page, family, published: sent, signInAt, checkAccessibility }) => {
    await signInAt("subscription");
    await page.getByRole("button", { name: "Switch on" }).click();
    await expect(page.getByRole("heading", { name: "Add Porchlight to the ntfy app" })).toBeFocused();
    await expect(page.getByRole("img", { name: "QR code" })).toBeVisible();
    const topic = (await page.getByText(/^[0-9a-f]{32}$/u).textContent()) ?? "no topic";
    canaries.note(topic);
    await expect(page.getByRole("link", { name: "open it in the ntfy app" })).toHaveAttribute(
      "href",
      new RegExp(`^ntfy://127\\.0\\.0\\.1:\\d+/${topic}\\?`, "u"),
    );
    await checkAccessibility();
    await expect(async () => expect(sent.map((one) => one.topic)).toEqual([topic])).toPass();
    expect(sent[0]?.message).toBe("Notifications from Porchlight arrive here.");
    await page.getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("button", { name: "Make a new code" })).toBeFocused();
    await expect(page.getByText(topic)).toHaveCount(0);
    await checkAccessibility();

    await page.goto(`/child/${family.child.id}/alerts/phrases`);
    await page.getByRole("textbox", { name: "A phrase of your own" }).fill("our secret");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Watch for it" }).click();
    await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
    await deliverSecret(family, "talk");
    await expect(async () => expect(sent).toHaveLength(2)).toPass();
    expect(sent[1]).toMatchObject({ topic, title: "Porchlight" });
    expect(JSON.stringify(sent[1])).not.toMatch(/secret|Grandma|Mia/u);

    await page.goto(`/child/${family.child.id}/subscription`);
    await page.getByRole("button", { name: "Switch off" }).click();
    await expect(page.getByRole("button", { name: "Switch on" })).toBeFocused();
    await expect(saved(page)).toBeVisible();
  },
);
