import type { CDPSession, Page } from "@playwright/test";

import { expect, test } from "../e2e/fixtures";

/** As a phone of the middle class against the machine that measures. */
const CPU_SLOWDOWN = 4;
/** As far away as a server at home is for a phone on the mobile network, there and back. */
const LATENCY_MS = 100;
const RUNS = 5;
const LONG = 5000;
/** How far a wheel turns the list, in CSS pixels, and how fast, in pixels a second. */
const THROW = { distance: 30_000, speed: 4000 };

interface Visit {
  firstPaint: number;
  readable: number;
}

interface Measured {
  cold: Visit[];
  warm: Visit[];
  start: Visit[];
  pressed: number[];
}

async function slowedDown(page: Page, latency = 0) {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  const unlimited = { offline: false, downloadThroughput: -1, uploadThroughput: -1 };
  await session.send("Network.emulateNetworkConditions", { ...unlimited, latency });
  return session;
}

/** Opens an address and answers the ms to the first contentful paint, and to the frame with the first message or another sign. */
async function visit(page: Page, address: string, sign = "[data-message]"): Promise<Visit> {
  await page.goto(address, { waitUntil: "commit" });
  return page.evaluate(async (shown) => {
    while (document.querySelector(shown) === null) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    const readable = performance.now();
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    return { firstPaint: paint?.startTime ?? Number.NaN, readable };
  }, sign);
}

/** Presses "Transcripts" and answers the ms to the frame that lists the sessions. */
async function press(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const pressed = performance.now();
    document.querySelector<HTMLElement>('a[href$="/transcripts"]')?.click();
    while (document.querySelector("[data-session]") === null) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return performance.now() - pressed;
  });
}

interface Scrolled {
  frames: readonly number[];
  /** CSS pixels. */
  far: number;
}

/** Turns a wheel over the messages and answers how long each frame took, in ms. */
async function scroll(page: Page, session: CDPSession): Promise<Scrolled> {
  const messages = page.getByRole("region", { name: "Messages" });
  await expect(messages.getByRole("listitem").first()).toBeVisible();
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const note = (now: number) => {
      frames.push(now - last);
      last = now;
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
    Object.assign(window, { frames });
  });
  for (let run = 0; run < RUNS; run += 1) {
    await session.send("Input.synthesizeScrollGesture", {
      x: 195,
      y: 500,
      yDistance: -THROW.distance,
      speed: THROW.speed,
      gestureSourceType: "mouse",
    });
  }
  return {
    frames: await page.evaluate<number[]>("frames"),
    far: await messages.evaluate((element) => element.scrollTop),
  };
}

/** Puts as many messages there as a page without a script would have: what the browser alone makes of them. */
async function withoutScript(page: Page, count: number) {
  await page.getByRole("region", { name: "Messages" }).evaluate((region, many) => {
    const items = [...region.querySelectorAll("li")].map((item) => {
      const copy = document.importNode(item, true);
      copy.removeAttribute("style");
      return copy;
    });
    const list = document.createElement("ol");
    for (let index = 0; index < many; index += 1) {
      const item = items[index % items.length]?.cloneNode(true);
      if (item !== undefined) list.append(item);
    }
    const copy = document.importNode(region);
    copy.style.height = `${window.innerHeight}px`;
    copy.append(list);
    document.body.replaceChildren(copy);
  }, count);
  // It is laid out, and its first screen drawn.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

function framesRow(what: string, { frames, far }: Scrolled): string {
  const long = frames.filter((frame) => frame > 50).length;
  const figures = `median ${median(frames).toFixed(1)} ms, longest ${Math.max(...frames).toFixed(1)} ms, over 50 ms: ${long}`;
  return `${what}: ${Math.round(far)} px in ${frames.length} frames, ${figures}`;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function ms(values: readonly number[]): string {
  return `${median(values).toFixed(0).padStart(8)} ms`;
}

function row(what: string, measured: readonly (Visit | number)[]): string {
  const paints = measured.flatMap((each) => (typeof each === "number" ? [] : [each.firstPaint]));
  const readables = measured.map((each) => (typeof each === "number" ? each : each.readable));
  return `${what.padEnd(34)} ${paints.length > 0 ? ms(paints) : " ".repeat(11)} ${ms(readables)}`;
}

test("time to the first readable transcript, and the frames of a long one", async ({
  page,
  browser,
  family,
  signIn,
  baseURL,
}) => {
  const { assistant, child } = family;
  const start = Date.parse("2026-11-20T18:00:00Z");
  for (const [name, count] of [
    ["long", LONG],
    ["usual", 200],
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
  const addressOf = async (topic: string) =>
    (await page.getByRole("link", { name: topic }).getAttribute("href")) ?? "";
  const [usual, long] = [await addressOf("usual"), await addressOf("long")];
  const storageState = await page.context().storageState();

  /** Lets a phone that has nothing of the app but the sign-in visit from near the server, or from away. */
  const asPhone = async (away: boolean, measure: (visitor: Page) => Promise<void>) => {
    const context = await browser.newContext({
      storageState,
      viewport: { width: 390, height: 844 },
      ...(baseURL !== undefined && { baseURL }),
    });
    const visitor = await context.newPage();
    await slowedDown(visitor, away ? LATENCY_MS : 0);
    await measure(visitor);
    // A refresh cookie is exchanged at each visit; the next browser starts from the newest.
    storageState.cookies = (await context.storageState()).cookies;
    await context.close();
  };
  const near: Measured = { cold: [], warm: [], start: [], pressed: [] };
  const away: Measured = { cold: [], warm: [], start: [], pressed: [] };
  for (let run = 0; run < RUNS; run += 1) {
    for (const measured of [near, away]) {
      await asPhone(measured === away, async (visitor) => {
        measured.cold.push(await visit(visitor, usual));
        measured.warm.push(await visit(visitor, usual));
      });
      await asPhone(measured === away, async (visitor) => {
        measured.start.push(await visit(visitor, "/", '[aria-label="Summary as JSON"]'));
        measured.pressed.push(await press(visitor));
      });
    }
  }

  await page.context().clearCookies();
  await page.context().addCookies(storageState.cookies);
  const session = await slowedDown(page);
  await page.goto(long);
  const ours = await scroll(page, session);
  await withoutScript(page, LONG);
  const bare = await scroll(page, session);

  process.stdout.write(`
Chromium, 390 px, CPU slowed down ${CPU_SLOWDOWN} times, medians of ${RUNS}: first paint, readable
${row("200 messages, cold (empty cache)", near.cold)}
${row("200 messages, warm", near.warm)}
${row("the start page's summary, cold", near.start)}
${row("Transcripts pressed after that", near.pressed)}
${row(`cold, ${LATENCY_MS} ms from the server`, away.cold)}
${row(`warm, ${LATENCY_MS} ms from the server`, away.warm)}
${row("the start page's summary, cold", away.start)}
${row("Transcripts pressed after that", away.pressed)}
${framesRow("5,000 messages, scrolled", ours)}
${framesRow("as many in plain HTML", bare)}
`);
});
