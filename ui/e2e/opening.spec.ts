import type { Page } from "@playwright/test";

import { anyWidth, expect, test } from "./fixtures";
import { NetworkGate } from "./network-gate";
import { requestTo, sectionFacts } from "../src/test/section-facts";

// What each page requests, and that it does so at once, is in src/layout/opening.test.tsx. Code is loaded only by a browser.

/** The number of requests to each of these addresses from now on. */
function countRequests(page: Page, asks: readonly RegExp[]): () => number[] {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  return () => asks.map((ask) => asked.filter((url) => ask.test(url)).length);
}

test(
  "the token, the children and the data are requested once, in parallel with the page's code",
  anyWidth,
  async ({ page, family, signIn, checkAccessibility }) => {
    await signIn(family.email);
    // The browser stores the ids of the children.
    await page.goto(`/child/${family.child.id}/metrics`);
    await expect(page.getByRole("heading", { name: "Metrics Page" })).toBeVisible();
    await expect(page.getByRole("main").getByText(/^Loading/u)).toHaveCount(0);
    const asks = sectionFacts.summary.asks.map(requestTo);
    const counts = countRequests(page, asks);
    const gate = new NetworkGate(page);
    await gate.hold(/\/SummaryPage[^/]*\.js$/u);

    await Promise.all([
      page.waitForResponse(/\/api\/auth\/token$/u),
      page.waitForResponse(/\/api\/children$/u),
      ...asks.map((ask) => page.waitForResponse(ask)),
      page.goto(`/child/${family.child.id}/summary`, { waitUntil: "commit" }),
    ]);
    await expect(page.getByRole("combobox", { name: "Child" })).toBeVisible();
    await expect(page.getByRole("main").getByText("Loading page...")).toBeVisible();
    await checkAccessibility();
    await gate.clear();

    await expect(page.getByRole("heading", { name: "Summary for Mia" })).toBeVisible();
    await expect(page.getByRole("main").getByText(/^Loading/u)).toHaveCount(0);
    expect(counts()).toEqual(asks.map(() => 1));
  },
);

test(
  "a section that is clicked requests its data once, in parallel with its code",
  anyWidth,
  async ({ page, signInAt }) => {
    const { label, heading, code, asks: paths } = sectionFacts.activities;
    const asks = paths.map(requestTo);
    await signInAt("subscription");
    const link = page.getByRole("link", { name: label });
    await expect(link).toBeVisible();
    const counts = countRequests(page, asks);
    const gate = new NetworkGate(page);
    await gate.hold(new RegExp(`/${code}[^/]*\\.js$`, "u"));

    await Promise.all([...asks.map((ask) => page.waitForResponse(ask)), link.click()]);
    await gate.clear();

    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeFocused();
    await expect(page.getByRole("main").getByText(/^Loading/u)).toHaveCount(0);
    expect(counts()).toEqual(asks.map(() => 1));
  },
);

test(
  "an address that redirects loads the code of its target page in parallel with the list of children",
  anyWidth,
  async ({ page, family, signIn }) => {
    await signIn(family.email);
    const gate = new NetworkGate(page);
    for (const [address, code, heading] of [
      ["", "SummaryPage", "Summary for Mia"],
      ["child/ID", "SummaryPage", "Summary for Mia"],
      ["child/ID/activities", "ActivitiesPage", "Activities for Mia"],
    ] as const) {
      await gate.hold(/\/api\/children$/u);

      await Promise.all([
        page.waitForResponse(new RegExp(`/${code}[^/]*\\.js$`, "u")),
        page.goto(`/${address.replace("ID", String(family.child.id))}`),
      ]);
      await expect(page.getByRole("main").getByText("Loading children...")).toBeVisible();
      await gate.clear();

      await expect(page.getByRole("heading", { name: heading })).toBeVisible();
    }
  },
);
