import type { Page } from "@playwright/test";

import { anyWidth, expect, test } from "./fixtures";
import { NetworkGate } from "./network-gate";
import { allSections, requestTo } from "../src/test/section-facts";

/** Each page of a child that requests data: its address, its heading and its requests. */
const pages: readonly (readonly [address: string, heading: string, asks: readonly RegExp[]])[] = [
  ...allSections.flatMap(({ section, heading, asks }) =>
    asks.length === 0 ? [] : [[section, heading, asks.map(requestTo)] as const],
  ),
  [
    "transcripts?session=",
    "Transcripts for Mia",
    ["/sessions", "/sessions/{sessionId}/messages"].map(requestTo),
  ],
];

/** Visits the child's pages once, so that the browser has stored the child's id, and waits for the last request. */
async function visit(page: Page, childId: number) {
  await page.goto(`/child/${childId}/metrics`);
  await expect(page.getByRole("heading", { name: "Metrics Page" })).toBeVisible();
  await expect(page.getByRole("main").getByText(/^Loading/u)).toHaveCount(0);
}

for (const [address, heading, asks] of pages) {
  test(
    `${address}: opened again, its data is requested once, in parallel with the list of children`,
    anyWidth,
    async ({ page, family, signIn }) => {
      const { assistant, child } = family;
      const session = await assistant.deliverMessage(child.id, "Bees", "Buzz?");
      await assistant.complete("Bees", { duration: 60 });
      await signIn(family.email);
      await visit(page, child.id);
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      const gate = new NetworkGate(page);
      await gate.hold(/\/api\/children$/u);

      await Promise.all([
        ...asks.map((ask) => page.waitForResponse(ask)),
        page.goto(`/child/${child.id}/${address}${address.endsWith("=") ? session : ""}`),
      ]);
      await expect(page.getByRole("main").getByText("Loading children...")).toBeVisible();
      await gate.clear();

      await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
      await expect(page.getByRole("main").getByText(/^Loading/u)).toHaveCount(0);
      for (const ask of asks) expect(asked.filter((url) => ask.test(url))).toHaveLength(1);
    },
  );
}

test(
  "the token and the data are requested in parallel with the page's code",
  anyWidth,
  async ({ page, family, signIn, checkAccessibility }) => {
    await signIn(family.email);
    await visit(page, family.child.id);
    const gate = new NetworkGate(page);
    await gate.hold(/\/SummaryPage[^/]*\.js$/u);

    await Promise.all([
      page.waitForResponse(/\/api\/auth\/token$/u),
      page.waitForResponse(/\/api\/children$/u),
      page.waitForResponse(/\/api\/.*\/summary$/u),
      page.goto(`/child/${family.child.id}/summary`, { waitUntil: "commit" }),
    ]);
    await expect(page.getByRole("combobox", { name: "Child" })).toBeVisible();
    await expect(page.getByRole("main").getByText("Loading page...")).toBeVisible();
    await checkAccessibility();
    await gate.clear();

    await expect(page.getByRole("heading", { name: "Summary for Mia" })).toBeVisible();
  },
);

for (const { label, heading, code, asks: paths } of allSections.filter(({ inBar }) => inBar)) {
  const asks = paths.map(requestTo);
  test(`${label}: its data is requested once, in parallel with its code`, async ({ page, signInAt }) => {
    await signInAt("subscription");
    const link = page.getByRole("link", { name: label });
    await expect(link).toBeVisible();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const gate = new NetworkGate(page);
    await gate.hold(new RegExp(`/${code}[^/]*\\.js$`, "u"));

    await Promise.all([...asks.map((ask) => page.waitForResponse(ask)), link.click()]);
    await gate.clear();

    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeFocused();
    await expect(page.getByRole("main").getByText(/^Loading/u)).toHaveCount(0);
    for (const ask of asks) expect(asked.filter((url) => ask.test(url))).toHaveLength(1);
  });
}

for (const [address, code, heading] of [
  ["", "SummaryPage", "Summary for Mia"],
  ["child/ID", "SummaryPage", "Summary for Mia"],
  ["child/ID/activities", "ActivitiesPage", "Activities for Mia"],
] as const) {
  test(
    `/${address} loads the code of its target page in parallel with the list of children`,
    anyWidth,
    async ({ page, family, signIn }) => {
      await signIn(family.email);
      const gate = new NetworkGate(page);
      await gate.hold(/\/api\/children$/u);

      await Promise.all([
        page.waitForResponse(new RegExp(`/${code}[^/]*\\.js$`, "u")),
        page.goto(`/${address.replace("ID", String(family.child.id))}`),
      ]);
      await expect(page.getByRole("main").getByText("Loading children...")).toBeVisible();
      await gate.clear();

      await expect(page.getByRole("heading", { name: heading })).toBeVisible();
    },
  );
}

test(
  "the start page requests the summary once, in parallel with its code",
  anyWidth,
  async ({ page, family, signIn }) => {
    await signIn(family.email);
    const asks = /\/api\/.*\/summary$/u;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const gate = new NetworkGate(page);
    await gate.hold(/\/SummaryPage[^/]*\.js$/u);

    await Promise.all([page.waitForResponse(asks), page.goto("/", { waitUntil: "commit" })]);
    await gate.clear();

    await expect(page.getByRole("heading", { name: "Summary for Mia" })).toBeVisible();
    await expect(page.getByRole("main").getByText(/^Loading/u)).toHaveCount(0);
    expect(asked.filter((url) => asks.test(url))).toHaveLength(1);
  },
);

test(
  "the sign-ins are requested once, in parallel with the page's code",
  anyWidth,
  async ({ page, signInAt }) => {
    await signInAt("metrics");
    const asks = /\/api\/auth\/sign-ins$/u;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const gate = new NetworkGate(page);
    await gate.hold(/\/YouPage[^/]*\.js$/u);
    await page.getByRole("button", { name: "Your account" }).click();

    await Promise.all([page.waitForResponse(asks), page.getByRole("menuitem", { name: /^You / }).click()]);
    await gate.clear();

    await expect(page.getByText("This browser")).toBeVisible();
    expect(asked.filter((url) => asks.test(url))).toHaveLength(1);
  },
);

test(
  "no data of another family's child is requested or shown",
  anyWidth,
  async ({ page, porchlight, family, addChild, signIn }) => {
    const childId = await addChild("Somebody Else");
    await porchlight.command("child", "unlink", String(childId), "--guardian", family.email);
    await signIn(family.email);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));

    await page.goto(`/child/${childId}/summary`);

    await expect(page.getByText("Select a child tab above...")).toBeVisible();
    expect(asked.filter((path) => path.startsWith("/api/"))).toEqual(["/api/auth/token", "/api/children"]);
    expect(await page.content()).not.toContain("Somebody Else");
  },
);
