import type { Locator, Page } from "@playwright/test";

import { anyWidth, expect, signInByCommand, test } from "./fixtures";
import { linkIn } from "./post-office";

/** How long the network is down, on the page's clock: longer than the silent retries. */
const AWAY_MS = 5000;

/** The step of the page's clock: less than the shortest delay between two retries, so that none is skipped. */
const STEP_MS = 500;

/** The console messages of a page without a network. */
const OFFLINE = /net::ERR_INTERNET_DISCONNECTED|The server can't be reached|dynamically imported module/u;

// Each other request that can fail is in src/layout/states.test.tsx or with its page. A browser also retries silently, and loads
// code.
const dailyRequests = [
  ["the code of the activities", "GET", /ActivitiesPage[^/]*\.js$/u],
  ["the save of the block list", "PUT", /\/blocked_topics$/u],
] as const;

interface Cut {
  happened: boolean;
  /** How much longer the network is down, on the page's clock, in ms. */
  left: number;
}

/**
 * Takes the network down when a page makes this request, and up again after `AWAY_MS` of the page's clock, which the test
 * controls.
 */
async function cutAt(page: Page, method: string, address: RegExp): Promise<Cut> {
  const cut = { happened: false, left: AWAY_MS };
  await page.clock.install();
  await page.route("**/*", async (route) => {
    const request = route.request();
    if (request.method() === method && address.test(request.url())) cut.happened = true;
    const down = cut.happened && cut.left > 0;
    await (down ? route.abort("internetdisconnected") : route.continue()).catch(() => {});
  });
  return cut;
}

/** Advances the page's clock until `isThere` succeeds, pressing `tryAgain` whenever it is shown. */
async function waitUntil(page: Page, cut: Cut, tryAgain: Locator, isThere: () => Promise<void>) {
  await expect(async () => {
    if (cut.happened) {
      await page.clock.runFor(STEP_MS);
      cut.left -= STEP_MS;
    }
    if (await tryAgain.first().isVisible()) await tryAgain.first().click({ timeout: 500 });
    await isThere();
  }).toPass({ intervals: [50] });
}

/** Waits until `goal` is visible. */
async function reach(
  page: Page,
  cut: Cut,
  goal: Locator,
  tryAgain: Locator = page.getByRole("button", { name: "Try again" }),
) {
  await waitUntil(page, cut, tryAgain, () => expect(goal).toBeVisible({ timeout: 100 }));
}

for (const [what, method, address] of dailyRequests) {
  test(
    `if the network fails at ${what}, no input is lost and the page recovers`,
    anyWidth,
    async ({ page, family, signInAt, consoleGuard }) => {
      consoleGuard.expect(OFFLINE);
      const { assistant, child } = family;
      await assistant.deliverMessage(child.id, "Bees", "Buzz?");
      await assistant.propose(child.id, [{ activity_id: "volcano", topic: "Build a paper volcano" }]);
      // Before the page is opened, because it loads the code of the other pages two seconds later.
      const cut = await cutAt(page, method, address);
      await signInAt("summary");
      await reach(page, cut, page.getByRole("region", { name: "Summary as JSON" }));

      await page.getByRole("link", { name: "Transcripts" }).click();
      await reach(page, cut, page.getByText("Buzz?"));

      await page.getByRole("link", { name: "Activities" }).click();
      await reach(page, cut, page.getByRole("tab", { name: "Upcoming" }));
      await page.getByRole("tab", { name: "Upcoming" }).click();
      await reach(page, cut, page.getByRole("button", { name: "Like", exact: true }));
      await page.getByRole("button", { name: "Like", exact: true }).click();
      await page.getByRole("textbox").fill("She loves fire");
      await page.getByRole("button", { name: "Submit" }).click();
      await reach(
        page,
        cut,
        page.getByText("No upcoming sessions scheduled or recommended."),
        page.getByRole("button", { name: "Submit" }),
      );

      await page.getByRole("link", { name: "Topic Block List" }).click();
      await reach(page, cut, page.getByRole("textbox", { name: "A topic of your own" }));
      await page.getByRole("textbox", { name: "A topic of your own" }).fill("Ghosts");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("listitem").filter({ hasText: "Ghosts" })).toBeVisible();
      await page.getByRole("link", { name: "Summary" }).click();
      await expect(page.getByRole("heading", { name: "Summary for Mia" })).toBeVisible();
      await page.getByRole("link", { name: "Topic Block List" }).click();
      const unsaved = page.getByText(/Saving changes|can't be reached|not saved yet/u);
      const again = page.getByRole("button", { name: "Try again" });
      await waitUntil(page, cut, again, () => expect(unsaved).toHaveCount(0, { timeout: 100 }));

      expect(cut.happened).toBe(true);
      await expect(page.getByText(/No connection/u)).toHaveCount(0);
      await expect(page.getByRole("alert")).toHaveCount(0);
      expect((await assistant.blockedTopics(child.id)).custom).toEqual(["Ghosts"]);
      expect(await assistant.feedback(child.id)).toMatchObject({
        feedback: [{ activity_id: "volcano", feedback: "up", reason: "She loves fire" }],
      });
    },
  );
}

test(
  "if the network fails at the sign-in, it still succeeds",
  anyWidth,
  async ({ page, family, postOffice, consoleGuard }) => {
    consoleGuard.expect(OFFLINE);
    await family.assistant.deliverMessage(family.child.id, "Bees", "Buzz?");
    const cut = await cutAt(page, "POST", /\/auth\/sign-in$/u);

    await page.goto("/login");
    const send = page.getByRole("button", { name: "Send Sign-In Link" });
    await page.getByRole("textbox", { name: "Email" }).fill(family.email);
    await send.click();
    await reach(page, cut, page.getByText(`Sign-in link sent to ${family.email}. Check your inbox!`), send);

    await page.goto(linkIn(await postOffice.emailTo(family.email)));
    await reach(page, cut, page.getByRole("region", { name: "Summary as JSON" }));

    expect(cut.happened).toBe(true);
    await expect(page.getByRole("alert")).toHaveCount(0);
  },
);

test(
  "if the network fails at the end of a sign-in, that and switching children still succeed",
  anyWidth,
  async ({ page, anotherBrowser, porchlight, family, addChild, signInAt, consoleGuard }) => {
    consoleGuard.expect(OFFLINE);
    const noah = await addChild("Noah");
    const other = await anotherBrowser();
    await signInByCommand(other.context(), porchlight, family.email);
    await signInAt("metrics");
    await expect(page.getByRole("heading", { name: "Metrics Page" })).toBeVisible();
    const cut = await cutAt(page, "DELETE", /\/auth\/sign_ins\//u);

    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByRole("menuitem", { name: /^You / }).click();
    const end = page.getByRole("button", { name: /^Sign out ./u });
    await reach(page, cut, end);
    await end.click();
    await reach(page, cut, page.getByText("That device is signed out."), end);

    await page.getByRole("combobox", { name: "Child" }).selectOption(String(noah));
    await expect(page).toHaveURL(`/child/${noah}/summary`);
    await reach(page, cut, page.getByRole("heading", { name: "Summary for Noah" }));
    await reach(page, cut, page.getByText("No summary data available."));

    expect(cut.happened).toBe(true);
    await expect(page.getByText(/No connection/u)).toHaveCount(0);
  },
);
