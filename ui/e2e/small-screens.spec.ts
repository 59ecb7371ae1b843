import type { Locator, Page } from "@playwright/test";

import { type Family, anyWidth, expect, test, narrow } from "./fixtures";

const DAY = 24 * 60 * 60_000;

/** Delivers a conversation of forty messages without a start and a topic, as plug-ins do. */
async function deliverLongSession({ assistant, child }: Family): Promise<number> {
  const began = Date.now() - DAY;
  const session = await assistant.open("much", { child_id: child.id });
  await assistant.deliver(
    "much",
    Array.from({ length: 40 }, (_, index) => ({
      message_id: String(index),
      source: index % 2 === 0 ? "child" : "assistant",
      text_content: `Sentence ${index} about volcanoes and why they glow`,
      timestamp: new Date(began + index * 60_000).toISOString(),
    })),
  );
  return session;
}

async function setFontSize(page: Page, standard: number): Promise<void> {
  // Like the browser's text size setting, so that it also affects media queries.
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard, fixed: 13 } });
}

/** The visible height of an element in pixels, once the page is scrolled to it. */
async function visibleHeight(element: Locator): Promise<number> {
  await element.evaluate((it) => it.scrollIntoView({ block: "end" }));
  return element.evaluate((it) => {
    const bar = document.querySelector("nav.fixed")?.getBoundingClientRect();
    let [top, bottom] = [0, bar === undefined || bar.height === 0 ? innerHeight : bar.top];
    for (let area: Element | null = it; area !== null; area = area.parentElement) {
      if (area !== it && getComputedStyle(area).overflowY === "visible") continue;
      const box = area.getBoundingClientRect();
      top = Math.max(top, box.top);
      bottom = Math.min(bottom, box.bottom);
    }
    return bottom - top;
  });
}

test(
  "in a real browser closing a dialog returns the focus to its opener",
  anyWidth,
  async ({ page, family, signInAt, consoleGuard }) => {
    // An open session that is erased is refetched once.
    consoleGuard.expect(/^error: .*status (of )?404/u);
    const session = await deliverLongSession(family);
    await signInAt(`transcripts?session=${session}`);
    const menu = page.getByRole("button", { name: "More actions" });
    for (const close of ["Escape", "Cancel"]) {
      await menu.click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();

      if (close === "Escape") await page.keyboard.press("Escape");
      else await page.getByRole("button", { name: close }).click();

      await expect(menu).toBeFocused();
    }

    await menu.click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(page.getByRole("status").filter({ hasText: "was deleted." })).toBeFocused();
  },
);

test(
  "a conversation without a start and a topic has a date, a length and its first words",
  anyWidth,
  async ({ page, family, signInAt }) => {
    await deliverLongSession(family);
    await signInAt("transcripts");

    const row = page.getByRole("link", { name: /^Session Topic 1/u });
    await expect(row).toContainText("Sentence 0 about volcanoes");
    await expect(row).toContainText(/ · 39 min/u);
    await expect(row).not.toContainText("Unknown date");
  },
);

test(
  "at 844×390 a transcript is readable, with doubled text, too",
  anyWidth,
  async ({ page, family, signInAt }) => {
    const session = await deliverLongSession(family);
    await page.setViewportSize({ width: 844, height: 390 });
    await signInAt(`transcripts?session=${session}`);
    const messages = page.getByRole("region", { name: "Messages" });
    await expect(messages.getByText("Sentence 0 about", { exact: false })).toBeVisible();
    // The assistant's name alone takes three lines of the header.
    expect(await visibleHeight(messages)).toBeGreaterThan(165);

    await setFontSize(page, 32);
    await page.reload();
    await expect(messages.getByText("Sentence 0 about", { exact: false })).toBeVisible();
    expect(await visibleHeight(messages)).toBeGreaterThan(150);
  },
);

test(
  "on a phone the focused element is not covered by the bottom bar",
  narrow,
  async ({ page, family, signInAt }) => {
    await deliverLongSession(family);
    await signInAt("settings/times");
    await expect(page.getByRole("heading", { name: "Time zone" })).toBeVisible();
    await page.locator("main").focus();

    const covered: string[] = [];
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press("Tab");
      const where = await page.evaluate(() => {
        const focused = document.activeElement;
        const bar = document.querySelector("nav.fixed");
        if (focused === null || bar === null || focused === document.body || bar.contains(focused))
          return null;
        const isCovered = focused.getBoundingClientRect().bottom > bar.getBoundingClientRect().top + 1;
        return isCovered ? (focused.textContent ?? "") || focused.outerHTML.slice(0, 80) : "";
      });
      if (where === null) break;
      if (where !== "") covered.push(where);
    }

    expect(covered).toEqual([]);
  },
);

test(
  "on a phone a form that opens is above the bottom bar, with its buttons",
  narrow,
  async ({ page, family, signInAt }) => {
    await family.assistant.propose(
      family.child.id,
      ["Build a volcano", "Sing a song", "Fly a kite", "Draw a map"].map((topic) => ({
        activity_id: topic,
        topic,
        summary: "A suggestion for a rainy afternoon",
      })),
    );
    const expectAboveBar = async (button: Locator) => {
      const bar = await page.getByRole("navigation", { name: "Sections" }).last().boundingBox();
      await expect
        .poll(async () => {
          const { y = Number.NaN, height = Number.NaN } = (await button.boundingBox()) ?? {};
          return y + height;
        })
        .toBeLessThanOrEqual(bar?.y ?? Number.NaN);
    };

    await signInAt("settings/times");
    const add = page.getByRole("button", { name: "Add quiet hours" });
    // At the bottom, just above the bar.
    await add.evaluate((button) => button.scrollIntoView({ block: "end" }));
    await add.tap();
    await expectAboveBar(page.getByRole("button", { name: "Save", exact: true }));

    await page.goto(`/child/${family.child.id}/activities/upcoming`);
    const likes = page.getByRole("button", { name: "Like", exact: true });
    await expect(likes).toHaveCount(4);
    await likes.nth(2).evaluate((button) => button.scrollIntoView({ block: "end" }));
    await likes.nth(2).tap();
    await expectAboveBar(page.getByRole("button", { name: "Submit" }));
  },
);

test("with doubled text the week chart fits a phone", anyWidth, async ({ page, family, signInAt }) => {
  await deliverLongSession(family);
  await family.assistant.complete("much", { duration: 12_000, mood: "curious" });
  await page.setViewportSize({ width: 390, height: 844 });
  await setFontSize(page, 32);
  await signInAt("summary");
  await expect(page.locator("figcaption").getByText("This week")).toBeVisible();

  const across = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(across).toBe(0);
});

test(
  "an activity without a mood has its date on a line of its own on a phone",
  anyWidth,
  async ({ page, family, signInAt }) => {
    const { assistant, child } = family;
    await assistant.open("short", { child_id: child.id, topic: "Bees" });
    await assistant.complete("short", { duration: 60 });
    await page.setViewportSize({ width: 390, height: 844 });
    await signInAt("activities/completed");

    const topic = await page.getByRole("link", { name: "Bees" }).boundingBox();
    const date = await page.getByRole("cell", { name: /, \d{4}$/u }).boundingBox();

    expect(date?.y).toBeGreaterThanOrEqual((topic?.y ?? 0) + (topic?.height ?? 0) - 1);
  },
);

test("on a slow connection Summary has no layout shift", anyWidth, async ({ page, family, signInAt }) => {
  await deliverLongSession(family);
  await page.setViewportSize({ width: 390, height: 844 });
  await family.assistant.report(family.child.id, { headline: "Mia asks why." });
  await page.addInitScript(() => {
    let total = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ("value" in entry) total += Number(entry.value);
      document.documentElement.dataset["shift"] = String(total);
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const [path, delay] of [
    [/\/metrics/u, 900],
    [/\/summary$/u, 300],
    [/\/api\/sessions\?/u, 600],
  ] as const) {
    await page.route(path, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, delay));
      await route.continue();
    });
  }
  await signInAt("summary");
  await expect(page.locator("figcaption").getByText("This week")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Download/u })).toBeAttached();

  const total = Number(await page.locator("html").getAttribute("data-shift"));
  expect(total).toBeLessThan(0.05);
});

test(
  "in print a chart has the paper's width, and Summary omits its raw data",
  anyWidth,
  async ({ page, family, signInAt }) => {
    await deliverLongSession(family);
    await page.setViewportSize({ width: 390, height: 844 });
    await signInAt("metrics");
    const chart = page.getByRole("slider", { name: "Minutes of each day" }).locator("svg");
    await expect(chart).toBeVisible();
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    expect(await chart.getAttribute("viewBox")).toMatch(/^0 0 640 /u);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await expect(chart).not.toHaveAttribute("viewBox", /^0 0 640 /u);

    await page.goto(`/child/${family.child.id}/summary`);
    await expect(page.getByText("Raw data")).toBeVisible();
    await page.emulateMedia({ media: "print" });
    await expect(page.getByText("Raw data")).toBeHidden();
  },
);
