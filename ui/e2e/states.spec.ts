import { anyWidth, expect, test } from "./fixtures";
import { NetworkGate, REFUSAL, REFUSED } from "./network-gate";
import { linkIn } from "./post-office";
import { sectionFacts } from "../src/test/section-facts";

const { load } = sectionFacts.summary;

/** Of the pages that load data, two: src/layout/states.test.tsx has them all, without colours. */
const loads: readonly (readonly [address: string, asks: RegExp, waiting: string, refused: string])[] = [
  ["summary", load.asks, load.waiting, load.refused + REFUSAL],
];

for (const [address, asks, waiting, refused] of loads) {
  test(
    `${address}: loading and errors are shown accessibly, and a retry keeps the focus on the page`,
    anyWidth,
    async ({ page, family, signIn, consoleGuard, checkAccessibility }) => {
      consoleGuard.expect(REFUSED);
      const { assistant, child } = family;
      await assistant.deliverMessage(child.id, "Bees", "Buzz?");
      await signIn(family.email);
      const gate = new NetworkGate(page);
      const open = async () => {
        await page.goto(`/child/${child.id}/${address.replace("?session=newest", "")}`);
        if (address.endsWith("newest")) await page.getByRole("link", { name: "Bees" }).click();
      };

      await gate.hold(asks);
      await open();
      await expect(page.getByRole("status").filter({ hasText: waiting })).toBeVisible();
      await checkAccessibility();

      await gate.refuse(asks);
      await open();
      await expect(page.getByRole("alert").filter({ hasText: refused })).toBeVisible();
      await checkAccessibility();

      await gate.hold(asks);
      await page.getByRole("button", { name: "Try again" }).press("Enter");
      await expect(page.getByRole("button", { name: "Try again" })).toBeHidden();
      await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
      await gate.clear();
      await expect(page.getByRole("status").filter({ hasText: waiting })).toHaveCount(0);
      await expect(page.getByRole("alert")).toBeHidden();
    },
  );
}

test(
  "signing in: loading, failure and success of each step are accessible",
  anyWidth,
  async ({ page, family, postOffice, consoleGuard, checkAccessibility }) => {
    consoleGuard.expect(REFUSED);
    const gate = new NetworkGate(page);
    await gate.hold(/\/api\/auth\/methods$/u);
    await page.goto("/login");
    await gate.clear();
    await page.getByRole("textbox", { name: "Email" }).fill(family.email);

    await gate.refuse(/\/api\/auth\/link$/u);
    await page.getByRole("button", { name: "Send Sign-In Link" }).click();
    await expect(page.getByRole("alert")).toContainText(REFUSAL);
    await checkAccessibility();
    await gate.hold(/\/api\/auth\/link$/u);
    await page.getByRole("button", { name: "Send Sign-In Link" }).click();
    await expect(page.getByRole("button", { name: "Sending..." })).toBeVisible();
    await checkAccessibility();
    await gate.clear();

    const { hash, pathname } = new URL(linkIn(await postOffice.emailTo(family.email)));
    await page.evaluate(() => localStorage.removeItem("emailForSignIn"));
    await page.goto(pathname + hash);
    const email = page.getByRole("textbox", { name: "Please provide your email for confirmation:" });
    await expect(email).toBeVisible();
    await checkAccessibility();

    await gate.hold(/\/api\/auth\/sign-in$/u);
    await email.fill(family.email);
    await page.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByText("Signing you in...")).toBeVisible();
    await checkAccessibility();
    // The page redirects after a second. That timer is held while axe runs, which needs its own timers.
    await page.evaluate(() => {
      const schedule = window.setTimeout.bind(window);
      const hold = (callback: () => void, delay?: number) =>
        delay === 1000
          ? schedule(() => document.addEventListener("a second later", callback, { once: true }))
          : schedule(callback, delay);
      Object.assign(window, { setTimeout: hold });
    });
    await gate.clear();
    await expect(page.getByText("Successfully signed in! Redirecting...")).toBeVisible();
    await checkAccessibility();
    await page.evaluate(() => document.dispatchEvent(new Event("a second later")));
    await expect(page.getByRole("heading", { name: "Summary for Mia" })).toBeVisible();
  },
);

test(
  "a page whose code can't be loaded shows an accessible error and can be retried in place",
  anyWidth,
  async ({ page, signInAt, consoleGuard, checkAccessibility }) => {
    consoleGuard.expect(/net::ERR_FAILED|Failed to fetch dynamically imported module/u);
    await page.route(/\/ActivitiesPage[^/]*\.js$/u, (route) => route.abort());
    await signInAt("topic-blocklist");
    await page.getByRole("textbox", { name: "A topic of your own" }).fill("Half typ");

    await page.getByRole("link", { name: "Activities" }).click();

    await expect(page.getByRole("heading", { name: "This page could not be shown" })).toBeVisible();
    await expect(page.getByRole("combobox", { name: "Child" })).toBeVisible();
    await checkAccessibility();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { name: "Activities for Mia" })).toBeVisible();
    await page.getByRole("link", { name: "Topic Block List" }).click();
    await expect(page.getByRole("textbox", { name: "A topic of your own" })).toHaveValue("Half typ");
  },
);

test(
  "a further page of a transcript: loading and an error are accessible",
  anyWidth,
  async ({ page, family, signIn, consoleGuard, checkAccessibility }) => {
    consoleGuard.expect(REFUSED);
    const { assistant, child } = family;
    await assistant.open("long", { child_id: child.id, topic: "A long day" });
    const messages = Array.from({ length: 450 }, (_, index) => ({
      message_id: String(index),
      source: index % 2 === 0 ? "child" : "assistant",
      text_content: `Sentence ${index + 1}`,
      timestamp: new Date(Date.parse("2026-11-20T18:00:00Z") + index * 1000).toISOString(),
    }));
    await assistant.deliver("long", messages);
    await assistant.complete("long", { duration: 450 });
    await signIn(family.email);
    const gate = new NetworkGate(page);
    const furtherPage = /\/messages\?.*after=/u;
    await gate.hold(furtherPage);
    await page.goto(`/child/${child.id}/transcripts`);
    await page.getByRole("link", { name: "A long day" }).click();
    const area = page.getByRole("region", { name: "Messages" });
    await expect(area.getByRole("listitem").first()).toContainText("Sentence 1");

    const toTheEnd = () => area.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect(async () => {
      await toTheEnd();
      await expect(area.getByText("Loading transcript...")).toBeVisible({ timeout: 200 });
    }).toPass();
    await checkAccessibility();
    await gate.refuse(furtherPage);
    await expect(async () => {
      await toTheEnd();
      await expect(area.getByRole("alert")).toContainText(`Error loading transcript: ${REFUSAL}`, {
        timeout: 200,
      });
    }).toPass();
    await checkAccessibility();
    await gate.clear();
    await area.getByRole("button", { name: "Try again" }).click();
    await expect(async () => {
      await toTheEnd();
      await expect(area.getByRole("listitem").last()).toContainText("Sentence 450", { timeout: 200 });
    }).toPass();
  },
);
