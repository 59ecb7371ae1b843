import { expect, test } from "./fixtures";
import { Line } from "./line";

/** Each page of a child's: its address, and what it asks the server for. */
const pages = [
  ["summary", [/\/api\/.*\/summary$/u]],
  ["activities/completed", [/\/api\/.*\/completed$/u, /\/api\/.*\/upcoming$/u]],
  ["transcripts", [/\/api\/sessions\?/u]],
  ["transcripts?session=", [/\/api\/sessions\?/u, /\/api\/sessions\/\d+\/messages/u]],
  ["topic-blocklist", [/\/blocked_topics$/u]],
] as const;

for (const [address, asks] of pages) {
  test(`${address}: opened, it asks while the list of children is still on its way, and once`, async ({
    page,
    family,
    signIn,
  }) => {
    const { assistant, child } = family;
    const session = await assistant.open("one", { child_id: child.id, topic: "Bees" });
    await assistant.deliver("one", [
      { message_id: "1", source: "child", text_content: "Buzz?", timestamp: "2026-11-20T18:00:00Z" },
    ]);
    await assistant.complete("one", { duration: 60 });
    await signIn(family.email);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const line = new Line(page);
    await line.hold(/\/api\/children$/u);

    await Promise.all([
      ...asks.map((ask) => page.waitForResponse(ask)),
      page.goto(`/child/${child.id}/${address}${address.endsWith("=") ? session : ""}`),
    ]);
    await expect(page.getByRole("main").getByText("Loading children...")).toBeVisible();
    await line.clear();

    await expect(page.getByRole("heading", { level: 1, name: /Mia$/u })).toBeVisible();
    await expect(page.getByRole("main").getByText(/^Loading/u)).toHaveCount(0);
    for (const ask of asks) expect(asked.filter((url) => ask.test(url))).toHaveLength(1);
  });
}

test("who is signed in is asked while the page's code is still on its way", async ({
  page,
  family,
  signIn,
  checkAccessibility,
}) => {
  await signIn(family.email);
  const line = new Line(page);
  await line.hold(/\/SummaryPage[^/]*\.js$/u);

  await Promise.all([
    page.waitForResponse(/\/api\/auth\/token$/u),
    page.waitForResponse(/\/api\/children$/u),
    page.waitForResponse(/\/api\/.*\/summary$/u),
    page.goto(`/child/${family.child.id}/summary`, { waitUntil: "commit" }),
  ]);
  await expect(page.getByRole("combobox", { name: "Child" })).toBeVisible();
  await expect(page.getByRole("main").getByText("Loading application...")).toBeVisible();
  await checkAccessibility();
  await line.clear();

  await expect(page.getByRole("heading", { name: "Summary for Mia" })).toBeVisible();
});

test("another family's child is asked for in vain and not shown", async ({
  page,
  porchlight,
  family,
  addChild,
  signIn,
  consoleGuard,
}) => {
  consoleGuard.expect(/status of 404|RequestFailed/u);
  const childId = await addChild("Somebody Else");
  await porchlight.command("child", "unlink", String(childId), "--guardian", family.email);
  await signIn(family.email);

  const [answer] = await Promise.all([
    page.waitForResponse(new RegExp(`/api/child/${childId}/summary$`, "u")),
    page.goto(`/child/${childId}/summary`),
  ]);

  expect(answer.status()).toBe(404);
  await expect(page.getByText("Select a child tab above...")).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  expect(await page.content()).not.toContain("Somebody Else");
});
