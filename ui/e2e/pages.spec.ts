import { anyWidth, expect, signInByCommand, test, narrow, WORKER_BLOCKED } from "./fixtures";
import { Porchlight } from "./porchlight";
import { allSections } from "../src/test/section-facts";

/** The console messages of the browser and the app for requests without a response, also for those that the stop interrupts. */
const EXPECTED_WHEN_GONE =
  /net::ERR_|The server can't be reached|Failed to fetch dynamically imported module/u;

test("every section is reachable from the navigation and has a heading", async ({
  page,
  signInAt,
  isMobile,
  checkAccessibility,
}) => {
  await signInAt();
  for (const { label, inBar, heading, sentence } of [...allSections.slice(1), ...allSections.slice(0, 1)]) {
    if (isMobile && !inBar) {
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: label }).click();
    } else {
      await page.getByRole("link", { name: label, exact: true }).click();
    }
    await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeFocused();
    await expect(page.getByText(sentence)).toBeVisible();
    const about = heading.endsWith(" for Mia") ? heading : `${heading} · Mia`;
    await expect(page).toHaveTitle(`${about} · Porchlight`);
    if (!isMobile) await checkAccessibility();
  }

  await page.goBack();
  await expect(page.getByRole("heading", { name: "Subscription", level: 1 })).toBeFocused();
  await page.goForward();
  await expect(page.getByRole("heading", { name: "Summary for Mia", level: 1 })).toBeFocused();
});

test(
  "choosing a child keeps the section, and on other pages opens the child's summary",
  narrow,
  async ({ page, family, addChild, signInAt, checkAccessibility }) => {
    const noah = await addChild("Noah Wolfeschlegelsteinhausenbergerdorff");
    await signInAt("metrics");
    const selector = page.getByRole("combobox", { name: "Child" });
    await expect(selector).toHaveValue(String(family.child.id));

    await selector.selectOption(String(noah));
    await expect(page).toHaveURL(`/child/${noah}/metrics`);
    await checkAccessibility();

    await page.goto("/nowhere");
    await expect(page.getByRole("heading", { name: "404 - Page Not Found" })).toBeVisible();
    await checkAccessibility();
    await selector.selectOption(String(noah));
    await expect(page).toHaveURL(`/child/${noah}/summary`);

    await page.goto("/child/999999/metrics");
    await expect(page.getByText("Select a child tab above...")).toBeVisible();
    await checkAccessibility();
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
      "nothing scrolls sideways",
    ).toBe(true);
  },
);

test(
  "the open menus are accessible and show who is signed in",
  narrow,
  async ({ page, family, signInAt, checkAccessibility }) => {
    await signInAt();
    await page.getByRole("button", { name: "Your account" }).click();
    await expect(page.getByText("Signed in as Robin Keller")).toBeVisible();
    await expect(page.getByText(family.email, { exact: true })).toBeVisible();
    await checkAccessibility();

    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await page.reload();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");

    await page.getByRole("button", { name: "More" }).click();
    await expect(page.getByRole("menu", { name: "More" })).toBeVisible();
    await checkAccessibility();
  },
);

test("the app can be installed", anyWidth, async ({ page, request }) => {
  await page.goto("/login");
  const address = await page.locator("link[rel=manifest]").getAttribute("href");
  const manifest: { icons: { src: string; purpose?: string }[] } = await (
    await request.get(address ?? "")
  ).json();

  expect(manifest.icons.some(({ purpose }) => purpose === "maskable")).toBe(true);
  for (const { src } of manifest.icons) {
    const icon = await request.get(src);
    expect(icon.ok(), src).toBe(true);
    expect(icon.headers()["content-type"], src).toMatch(/^image\//u);
  }
});

test.describe("when the server goes away", () => {
  let mortal: Porchlight;

  // Its e-mails go nowhere; the administrator prints the link.
  test.beforeEach(async () => {
    mortal = await Porchlight.start("smtp://127.0.0.1:9");
  });
  test.afterEach(async () => mortal.stop());

  test("errors are shown and can be retried", anyWidth, async ({ browser, viewport }) => {
    await mortal.command("guardian", "add", "parent@example.com");
    await mortal.command("child", "add", "Mia", "--guardian", "parent@example.com");
    const page = await browser.newPage({ viewport });
    const lines: string[] = [];
    page.on("console", (message) => lines.push(message.text()));
    await signInByCommand(page.context(), mortal, "parent@example.com");
    await page.goto(mortal.url);
    await page.getByRole("link", { name: "Transcripts" }).click();
    await expect(page.getByText("No sessions found.")).toBeVisible();

    await mortal.stop();

    // The page's code may be loaded already, but not its data.
    await page.getByRole("link", { name: "Activities" }).click();
    await expect(page.getByRole("alert")).toContainText("Please check your connection");
    await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
    expect(
      lines.filter((line) => ![EXPECTED_WHEN_GONE, WORKER_BLOCKED].some((expected) => expected.test(line))),
    ).toEqual([]);
    await page.close();
  });
});
