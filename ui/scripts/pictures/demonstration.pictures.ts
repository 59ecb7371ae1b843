import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { type Browser, type BrowserContext, type Locator, type Page, test as base } from "@playwright/test";

import { Porchlight } from "../../e2e/porchlight";
import { clockLibrary } from "../../e2e/server-clock";
import { expect, signInByCommand } from "../../e2e/fixtures";

/** Where the pictures are written. Documents name them with this folder. */
const FOLDER = join(import.meta.dirname, "../../../docs/pictures");

/** Where the manifest's pictures are, which a phone shows when the app is installed. */
const SCREENSHOTS = join(import.meta.dirname, "../../public/screenshots");

/** Bytes. What a document shows must load fast on a phone. */
const MAX_SIZE = 120_000;

/** The demonstration's days count back from the start. With a fixed one, pictures differ only if a page does. */
const NOW = new Date("2026-11-26T20:15:00Z");

/** The demonstration's guardian. */
const EMAIL = "demo@porchlight.example";

/** What the bell is called once the alerts are counted. */
const BELL = /^Alerts: /u;

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5 };
const DESKTOP = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };

interface Picture {
  /** The file, without its ending. */
  name: string;
  /** Below `/child/1`, who is Mia. */
  page: string;
  /** A text that is there once the page is. */
  shows: string | RegExp;
  screen?: typeof PHONE;
  /** Whether it is one of the manifest's, too. */
  isScreenshot?: true;
  /** What is pressed or scrolled to before the picture is taken. */
  before?: (page: Page) => Promise<unknown>;
}

/** Scrolls a part to the top, below the bar with the child's name. */
async function scrollTo(part: Locator): Promise<void> {
  await part.first().evaluate((element) => {
    element.scrollIntoView();
    window.scrollBy(0, -80);
  });
}

const PICTURES: readonly Picture[] = [
  { name: "summary", page: "summary", shows: "Today", isScreenshot: true },
  { name: "summary-wide", page: "summary", shows: "Today", screen: DESKTOP, isScreenshot: true },
  {
    name: "transcript",
    page: "transcripts",
    shows: "Octopuses",
    before: async (page) => {
      const link = page.getByRole("link", { name: /^Octopuses/u });
      await link.first().click();
      await expect(page.getByText("octopuses can open jars", { exact: false })).toBeVisible();
    },
  },
  { name: "metrics-wide", page: "metrics", shows: "Metrics Page", screen: DESKTOP },
  { name: "connect", page: "settings/assistants/connect", shows: "What does Mia talk to?" },
  {
    name: "topics",
    page: "topic-blocklist",
    shows: "Currently Blocked Topics",
    before: (page) => scrollTo(page.getByText("Currently Blocked Topics")),
  },
  {
    name: "for-child",
    page: "for-child",
    shows: "For what age?",
    before: async (page) => {
      await page.getByRole("radio", { name: "6 to 9" }).check();
      await scrollTo(page.getByText("For Mia", { exact: true }));
    },
  },
  { name: "subscription", page: "subscription", shows: "At once" },
  { name: "times", page: "settings/times", shows: "Quiet hours" },
  { name: "assistants", page: "settings/assistants", shows: "Kitchen" },
  { name: "people", page: "settings/people", shows: "Who looked" },
  // Last, because they take the number from the bell.
  {
    name: "alerts",
    page: "alerts",
    isScreenshot: true,
    shows: "Alerts for Mia",
    before: (page) => scrollTo(page.getByText("Nov 21", { exact: true })),
  },
  { name: "phrases", page: "alerts/phrases", shows: "Phrases to begin with" },
];

interface WorkerFixtures {
  porchlight: Porchlight;
  /** The cookies of one sign-in: a second one would be announced on each page. */
  signedIn: Awaited<ReturnType<BrowserContext["storageState"]>>;
}

const test = base.extend<object, WorkerFixtures>({
  porchlight: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      if (clockLibrary === undefined) throw new Error("libfaketime is missing: apt-get install faketime");
      const porchlight = await Porchlight.start("127.0.0.1:25", {
        options: ["--demo"],
        env: {
          TZ: "UTC",
          LD_PRELOAD: clockLibrary,
          FAKETIME: `@${NOW.toISOString().slice(0, 19).replace("T", " ")}`,
          FAKETIME_DONT_FAKE_MONOTONIC: "1",
          DONT_FAKE_MONOTONIC: "1",
        },
      });
      await use(porchlight);
      await porchlight.stop();
    },
    { scope: "worker" },
  ],

  signedIn: [
    async ({ browser, porchlight }, use) => {
      const context = await browser.newContext();
      await signInByCommand(context, porchlight, EMAIL);
      await use(await context.storageState());
      await context.close();
    },
    { scope: "worker" },
  ],
});

async function open(
  browser: Browser,
  { porchlight, signedIn }: WorkerFixtures,
  picture: Picture,
): Promise<Page> {
  const context = await browser.newContext({
    ...(picture.screen ?? PHONE),
    baseURL: porchlight.url,
    storageState: signedIn,
    locale: "en-US",
    timezoneId: "Europe/London",
    reducedMotion: "reduce",
    colorScheme: "light",
  });
  await context.clock.setFixedTime(NOW);
  const page = await context.newPage();
  await page.goto(`/child/1/${picture.page}`);
  await expect(page.getByText(picture.shows).first()).toBeVisible();
  // The bell's number comes last. The page for a child has no bell.
  if (picture.page !== "for-child") await expect(page.getByRole("button", { name: BELL })).toBeVisible();
  await picture.before?.(page);
  await expect(page.getByText(/^Loading/u)).toHaveCount(0);
  // The heading takes the focus, whose ring would be in each picture.
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  return page;
}

/** Takes pictures until two are equal: then nothing is loaded any more. */
async function still(page: Page): Promise<Buffer> {
  const take = () => page.screenshot({ animations: "disabled", caret: "hide" });
  let before = await take();
  for (;;) {
    const after = await take();
    if (after.equals(before)) return after;
    before = after;
  }
}

for (const picture of PICTURES) {
  test(picture.name, async ({ browser, porchlight, signedIn }) => {
    await mkdir(FOLDER, { recursive: true });
    const page = await open(browser, { porchlight, signedIn }, picture);
    const image = await still(page);
    await page.context().close();

    console.log(`${picture.name}.png: ${Math.ceil(image.length / 1000)} kB`);
    expect(image.length, `${picture.name}.png is too large`).toBeLessThan(MAX_SIZE);
    await writeFile(join(FOLDER, `${picture.name}.png`), image);
    if (picture.isScreenshot) await writeFile(join(SCREENSHOTS, `${picture.name}.png`), image);
  });
}
