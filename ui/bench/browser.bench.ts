import type { CDPSession, Page } from "@playwright/test";

import { CPU_SLOWDOWN, RUNS, median, throttle } from "./phone";
import { expect, test } from "../e2e/fixtures";

/** Round trip from a phone on the mobile network to a server at home. */
const ROUND_TRIP_MS = 100;
const LONG_TRANSCRIPT = 5000;
/** One scroll gesture: CSS pixels, and CSS pixels per second. */
const SCROLL = { distance: 30_000, speed: 4000 };

/** Milliseconds since the navigation started. */
interface PageLoad {
  firstPaint: number;
  readable: number;
}

interface Samples {
  cold: PageLoad[];
  warm: PageLoad[];
  startPage: PageLoad[];
  transcriptsClick: number[];
}

/** Loads a page and returns the times to the first contentful paint and to the frame that shows `selector`. */
async function load(page: Page, url: string, selector = "[data-message]"): Promise<PageLoad> {
  await page.goto(url, { waitUntil: "commit" });
  return page.evaluate(async (awaited) => {
    while (document.querySelector(awaited) === null) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    const readable = performance.now();
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    return { firstPaint: paint?.startTime ?? Number.NaN, readable };
  }, selector);
}

/** Clicks "Transcripts" and returns the milliseconds to the frame that lists the sessions. */
async function clickTranscripts(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const clicked = performance.now();
    document.querySelector<HTMLElement>('a[href$="/transcripts"]')?.click();
    while (document.querySelector("[data-session]") === null) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return performance.now() - clicked;
  });
}

interface ScrollSample {
  /** Duration of each frame in milliseconds. */
  frames: readonly number[];
  /** Scroll position at the end in CSS pixels. */
  distance: number;
}

/** Scrolls the messages with mouse-wheel gestures and records the frames. */
async function scroll(page: Page, session: CDPSession): Promise<ScrollSample> {
  const messages = page.getByRole("region", { name: "Messages" });
  await expect(messages.getByRole("listitem").first()).toBeVisible();
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const record = (now: number) => {
      frames.push(now - last);
      last = now;
      requestAnimationFrame(record);
    };
    requestAnimationFrame(record);
    Object.assign(window, { frames });
  });
  for (let run = 0; run < RUNS; run += 1) {
    await session.send("Input.synthesizeScrollGesture", {
      x: 195,
      y: 500,
      yDistance: -SCROLL.distance,
      speed: SCROLL.speed,
      gestureSourceType: "mouse",
    });
  }
  return {
    frames: await page.evaluate<number[]>("frames"),
    distance: await messages.evaluate((element) => element.scrollTop),
  };
}

/** Replaces the page by a plain HTML list of `count` messages, as the baseline without a script. */
async function showPlainHtml(page: Page, count: number) {
  await page.getByRole("region", { name: "Messages" }).evaluate((region, total) => {
    const items = [...region.querySelectorAll("li")].map((item) => {
      const copy = document.importNode(item, true);
      copy.removeAttribute("style");
      return copy;
    });
    const list = document.createElement("ol");
    for (let index = 0; index < total; index += 1) {
      const item = items[index % items.length]?.cloneNode(true);
      if (item !== undefined) list.append(item);
    }
    const copy = document.importNode(region);
    copy.style.height = `${window.innerHeight}px`;
    copy.append(list);
    document.body.replaceChildren(copy);
  }, count);
  // Wait for layout and the first paint.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

function framesRow(label: string, { frames, distance }: ScrollSample): string {
  const long = frames.filter((frame) => frame > 50).length;
  const figures = `median ${median(frames).toFixed(1)} ms, longest ${Math.max(...frames).toFixed(1)} ms, over 50 ms: ${long}`;
  return `${label}: ${Math.round(distance)} px in ${frames.length} frames, ${figures}`;
}

function ms(values: readonly number[]): string {
  return `${median(values).toFixed(0).padStart(8)} ms`;
}

function row(label: string, samples: readonly (PageLoad | number)[]): string {
  const paints = samples.flatMap((sample) => (typeof sample === "number" ? [] : [sample.firstPaint]));
  const readables = samples.map((sample) => (typeof sample === "number" ? sample : sample.readable));
  return `${label.padEnd(34)} ${paints.length > 0 ? ms(paints) : " ".repeat(11)} ${ms(readables)}`;
}

test("transcript load times and the frame times of scrolling", async ({
  page,
  browser,
  family,
  signIn,
  baseURL,
}) => {
  const { assistant, child } = family;
  const start = Date.parse("2026-11-20T18:00:00Z");
  for (const [name, count] of [
    ["long", LONG_TRANSCRIPT],
    ["typical", 200],
  ] as const) {
    const messages = Array.from({ length: count }, (_, index) => ({
      message_id: String(index),
      source: index % 2 === 0 ? "child" : "assistant",
      text_content: `${index + 1}. ${"and then it went on ".repeat(1 + (index % 7))}`,
      timestamp: new Date(start + index * 1000).toISOString(),
    }));
    await assistant.open(name, { child_id: child.id, topic: name });
    for (let sent = 0; sent < count; sent += 1000) {
      await assistant.deliver(name, messages.slice(sent, sent + 1000));
    }
    await assistant.complete(name, { duration: count });
  }
  await signIn(family.email);
  await page.goto(`/child/${child.id}/transcripts`);
  const urlOf = async (topic: string) =>
    (await page.getByRole("link", { name: topic }).getAttribute("href")) ?? "";
  const [typical, long] = [await urlOf("typical"), await urlOf("long")];
  const storageState = await page.context().storageState();

  /** Opens a signed-in phone with a cold cache and the given round trip to the server. */
  const withColdCache = async (roundTrip: number, measure: (phone: Page) => Promise<void>) => {
    const context = await browser.newContext({
      storageState,
      viewport: { width: 390, height: 844 },
      ...(baseURL !== undefined && { baseURL }),
    });
    const phone = await context.newPage();
    await throttle(phone, roundTrip);
    await measure(phone);
    // Each load rotates the refresh cookie; the next context needs the current one.
    storageState.cookies = (await context.storageState()).cookies;
    await context.close();
  };
  const local: Samples = { cold: [], warm: [], startPage: [], transcriptsClick: [] };
  const remote: Samples = { cold: [], warm: [], startPage: [], transcriptsClick: [] };
  for (let run = 0; run < RUNS; run += 1) {
    for (const [samples, roundTrip] of [
      [local, 0],
      [remote, ROUND_TRIP_MS],
    ] as const) {
      await withColdCache(roundTrip, async (phone) => {
        samples.cold.push(await load(phone, typical));
        samples.warm.push(await load(phone, typical));
      });
      await withColdCache(roundTrip, async (phone) => {
        samples.startPage.push(await load(phone, "/", '[aria-label="Summary as JSON"]'));
        samples.transcriptsClick.push(await clickTranscripts(phone));
      });
    }
  }

  await page.context().clearCookies();
  await page.context().addCookies(storageState.cookies);
  const session = await throttle(page);
  await page.goto(long);
  const app = await scroll(page, session);
  await showPlainHtml(page, LONG_TRANSCRIPT);
  const plainHtml = await scroll(page, session);

  process.stdout.write(`
Chromium, 390 px, CPU slowdown ${CPU_SLOWDOWN}, medians of ${RUNS}: first contentful paint, readable
${row("200 messages, cold cache", local.cold)}
${row("200 messages, warm cache", local.warm)}
${row("start page, cold cache", local.startPage)}
${row("Transcripts clicked after that", local.transcriptsClick)}
Round trip ${ROUND_TRIP_MS} ms
${row("200 messages, cold cache", remote.cold)}
${row("200 messages, warm cache", remote.warm)}
${row("start page, cold cache", remote.startPage)}
${row("Transcripts clicked after that", remote.transcriptsClick)}
${framesRow("5,000 messages scrolled", app)}
${framesRow("baseline: plain HTML", plainHtml)}
`);
});
