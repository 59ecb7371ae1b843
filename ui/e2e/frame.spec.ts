import type { Locator, Page } from "@playwright/test";

import { anyWidth, expect, test } from "./fixtures";

const WIDTHS = [390, 768, 1280] as const;

/** The texts of the frame and the page that overflow the window or overlap each other. */
async function misplacedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    for (const part of document.querySelectorAll("header, nav, main, [data-popup]")) {
      const boxes: { text: string; box: DOMRect }[] = [];
      const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const text = walker.currentNode.textContent?.trim() ?? "";
        const parent = walker.currentNode.parentElement;
        if (
          text === "" ||
          parent === null ||
          parent.closest("select, .sr-only, [data-popup]") !== part.closest("[data-popup]")
        )
          continue;
        if (!parent.checkVisibility({ visibilityProperty: true })) continue;
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        for (const box of range.getClientRects()) {
          if (box.left < -1 || box.right > innerWidth + 1) found.push(`"${text}" leaves the window`);
          for (const other of boxes) {
            const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
            const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
            if (other.text !== text && across > 1 && down > box.height / 3)
              found.push(`"${text}" covers "${other.text}"`);
          }
          boxes.push({ text, box });
        }
      }
    }
    if (document.documentElement.scrollWidth > document.documentElement.clientWidth)
      found.push("it scrolls sideways");
    return found;
  });
}

async function doubleText(page: Page): Promise<void> {
  // Like the browser's text size setting, so that it also affects media queries.
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
}

/** Looks at a page at each width. */
async function expectNothingMisplaced(page: Page, what: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => misplacedTexts(page), `${what} at ${width} px`).toEqual([]);
  }
}

test(
  "with doubled text nothing overlaps or overflows at any width",
  anyWidth,
  async ({ page, family, addChild, signIn }) => {
    await addChild("Noah Wolfeschlegelsteinhausenbergerdorff");
    await signIn(family.email);
    await doubleText(page);
    for (const [path, heading] of [
      [`/child/${family.child.id}/settings`, "App Settings"],
      [`/child/${family.child.id}/settings/times`, "Times"],
      [`/child/${family.child.id}/settings/assistants`, "Assistants"],
      [`/child/${family.child.id}/settings/assistants/connect`, "What does Mia talk to?"],
      [`/child/${family.child.id}/settings/assistants/connect/speaker`, "A home-made speaker"],
      [`/child/${family.child.id}/settings/profile`, "Mia's profile"],
      ["/you", "You"],
      ["/nowhere", "404 - Page Not Found"],
      [`/child/${family.child.id}/summary`, "Summary for Mia"],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe("32px");
      await expectNothingMisplaced(page, path);
    }

    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      for (const menu of ["Your account", "More"]) {
        await page.getByRole("button", { name: menu }).click();
        await expect(page.getByRole("menu")).toBeVisible();
        expect(await misplacedTexts(page), `${menu} at ${width} px`).toEqual([]);
        const last = page.getByRole("menuitem").last();
        await last.scrollIntoViewIfNeeded();
        await expect(last).toBeInViewport({ ratio: 0.9 });
        await page.keyboard.press("Escape");
      }
    }
  },
);

test(
  "with doubled text the sign-in pages fit the window at any width",
  anyWidth,
  async ({ page, consoleGuard }) => {
    consoleGuard.expect(/Invalid sign-in link/u);
    await doubleText(page);
    for (const path of ["/login", "/finish-sign-in#token=none"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectNothingMisplaced(page, path);
    }
  },
);

test("on a tablet each section's label is visible below its icon", anyWidth, async ({ page, signInAt }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await signInAt("metrics");
  const links = page
    .getByRole("navigation", { name: "Sections" })
    .first()
    .getByRole("listitem")
    .getByRole("link");
  await expect(links).toHaveText([
    "Summary",
    "Activities",
    "Metrics",
    "Transcripts",
    "Context",
    "Topic Block List",
    "App Settings",
    "Subscription",
    "Alerts",
  ]);
  for (const link of await links.all()) {
    const [icon, word] = [await boxOf(link.locator("svg")), await boxOf(link.locator("span"))];
    expect(await link.locator("span").evaluate((span) => getComputedStyle(span).opacity)).toBe("1");
    expect(word.y).toBeGreaterThanOrEqual(icon.y + icon.height - 1);
    expect(Math.abs(word.x + word.width / 2 - (icon.x + icon.width / 2))).toBeLessThan(2);
  }
  expect(await misplacedTexts(page)).toEqual([]);
});

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error(`${locator.toString()} is not on screen.`);
  return box;
}

test(
  "a long Arabic name is truncated at its end in the selector",
  anyWidth,
  async ({ page, addChild, signInAt }) => {
    const name = `${"محمد عبد الرحمن ".repeat(6)}الأنصاري`;
    const childId = await addChild(name);
    await page.setViewportSize({ width: 390, height: 844 });
    await signInAt("metrics");
    const selector = page.getByRole("combobox", { name: "Child" });
    expect(await selector.evaluate((select) => getComputedStyle(select).direction)).toBe("ltr");

    await selector.selectOption(String(childId));
    await expect(page).toHaveURL(`/child/${childId}/metrics`);

    // A truncated line is cut at its end, which is on the left in Arabic.
    expect(await selector.evaluate((select) => getComputedStyle(select).direction)).toBe("rtl");
  },
);

/** The styles that distinguish an element from its siblings in forced colours mode. */
async function lookOf(locator: Locator): Promise<string> {
  return locator.evaluate((element) => {
    const { outlineStyle, outlineColor, backgroundColor, borderColor, borderWidth, borderStyle } =
      getComputedStyle(element);
    const before = getComputedStyle(element, "::before");
    const marker = before.content === "none" ? "" : `${before.backgroundColor} ${before.borderColor}`;
    return JSON.stringify([
      outlineStyle,
      outlineColor,
      backgroundColor,
      borderColor,
      borderWidth,
      borderStyle,
      marker,
    ]);
  });
}

test(
  "with forced colours the active item is distinguishable, and buttons have a border",
  anyWidth,
  async ({ page, family, signInAt }) => {
    await family.assistant.propose(family.child.id, [
      { activity_id: "song", topic: "Times tables as a song" },
    ]);
    await page.emulateMedia({ forcedColors: "active" });
    await signInAt("activities/upcoming");

    const nav = page.getByRole("navigation", { name: "Sections" });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      const active = nav.getByRole("link", { name: "Activities" }).filter({ visible: true });
      const other = nav.getByRole("link", { name: "Summary" }).filter({ visible: true });
      expect(await lookOf(active), `the active section at ${width} px`).not.toBe(await lookOf(other));
    }

    expect(await lookOf(page.getByRole("tab", { name: "Upcoming" })), "the selected tab").not.toBe(
      await lookOf(page.getByRole("tab", { name: "Completed" })),
    );
    expect(
      await lookOf(page.getByRole("button", { name: "Like", exact: true })),
      "a vote that is not chosen",
    ).toBe(await lookOf(page.getByRole("button", { name: "Dislike" })));
    await page.getByRole("button", { name: "Like", exact: true }).click();
    expect(await lookOf(page.getByRole("button", { name: "Like", exact: true })), "the chosen vote").not.toBe(
      await lookOf(page.getByRole("button", { name: "Dislike" })),
    );
    for (const name of ["Submit", "Cancel", "Like", "Your account"]) {
      const button = page.getByRole("button", { name, exact: true });
      expect(await button.evaluate((element) => getComputedStyle(element).borderTopWidth), name).not.toBe(
        "0px",
      );
    }
    const selector = page.getByRole("combobox", { name: "Child" });
    expect(await selector.evaluate((element) => getComputedStyle(element).borderTopWidth)).not.toBe("0px");
  },
);

/** The page's theme colour, which the browser uses for its toolbar. */
async function barColour(tab: Page): Promise<string | undefined> {
  return tab.evaluate(
    () =>
      [...document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")].find(
        ({ media }) => matchMedia(media).matches,
      )?.content,
  );
}

test(
  "a chosen theme applies to the other tabs and the browser's toolbar",
  anyWidth,
  async ({ context, page, signInAt }) => {
    await page.emulateMedia({ colorScheme: "light" });
    await signInAt("metrics");
    const other = await context.newPage();
    await other.emulateMedia({ colorScheme: "light" });
    await other.goto(page.url());
    await expect(other.getByRole("heading", { name: "Metrics Page" })).toBeVisible();
    const light = await barColour(page);

    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();

    await expect(other.locator("html")).toHaveAttribute("data-theme", "dark");
    const dark = await barColour(page);
    expect(dark).not.toBe(light);
    expect(await barColour(other)).toBe(dark);
    await page.reload();
    expect(await barColour(page)).toBe(dark);
    await other.getByRole("button", { name: "Your account" }).click();
    await expect(other.getByRole("menuitemradio", { name: "Dark" })).toBeChecked();
    await other.getByRole("menuitemradio", { name: "Like this device" }).click();
    await expect(page.locator("html")).not.toHaveAttribute("data-theme");
    expect(await barColour(page)).toBe(light);
  },
);
