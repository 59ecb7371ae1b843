import type { Page } from "@playwright/test";

import { anyWidth, expect, test, narrow } from "./fixtures";

async function expectNoSidewaysScrolling(page: Page) {
  const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.poll(beyond, "pixels beyond the window").toBeLessThanOrEqual(0);
}

test(
  "completed activities are in a table that fits the window",
  narrow,
  async ({ page, family, signInAt, checkAccessibility }) => {
    const { assistant, child } = family;
    await signInAt("activities");
    await expect(page).toHaveURL(`/child/${child.id}/activities/completed`);
    await expect(page.getByText("No completed activities yet.")).toBeVisible();
    await checkAccessibility();

    const start_time = "2026-11-20T18:00:00Z";
    await assistant.open("one", { child_id: child.id, topic: "Moon and stars", start_time });
    await assistant.complete("one", { duration: 600, score: "8 of 10", mood: "curious" });
    const long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
    await assistant.open("two", { child_id: child.id, topic: long, start_time: "2026-11-21T02:00:00Z" });
    await assistant.complete("two", { duration: 59, score: 9.5 });
    await page.reload();

    const rows = page.getByRole("table", { name: "A list of Mia's completed activities." }).getByRole("row");
    await expect(rows).toHaveCount(3);
    const texts = (name: string) => rows.filter({ hasText: name }).getByRole("cell").allInnerTexts();
    expect((await texts("Moon and stars")).slice(0, 3)).toEqual(["Nov 20, 2026", "Moon and stars", "10 min"]);
    await expect(rows.filter({ hasText: "Moon and stars" })).toContainText("8 of 10");
    await expect(rows.filter({ hasText: "Moon and stars" }).getByText("curious")).toBeVisible();
    expect((await texts(long)).slice(0, 3)).toEqual(["Nov 21, 2026", long, "59 sec"]);
    expect((await texts(long))[4]).toBe("-");
    await expectNoSidewaysScrolling(page);
    await checkAccessibility();
  },
);

test(
  "a parent's feedback reaches the assistant",
  narrow,
  async ({ page, family, signInAt, checkAccessibility }) => {
    const { assistant, child } = family;
    await assistant.propose(child.id, [
      { activity_id: "volcano/1 ü?", topic: "Build a paper volcano", summary: "It would really smoke." },
      { activity_id: "song", topic: "Times tables as a song" },
    ]);
    await signInAt("activities/completed");
    await page.getByRole("tab", { name: "Upcoming" }).click();
    await expect(page).toHaveURL(`/child/${child.id}/activities/upcoming`);

    const volcano = page.locator("[data-activity]").filter({ hasText: "Build a paper volcano" });
    await expect(volcano.getByText("It would really smoke.")).toBeVisible();
    await checkAccessibility();
    await volcano.getByRole("button", { name: "Like", exact: true }).click();
    await volcano
      .getByPlaceholder("Optional: Why did you like/dislike this suggestion?")
      .fill("  She asked twice. ");
    await checkAccessibility();
    await expectNoSidewaysScrolling(page);
    await volcano.getByRole("button", { name: "Submit" }).click();

    await expect(volcano).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "Times tables as a song" })).toBeFocused();
    const song = page.getByRole("listitem").filter({ hasText: "Times tables as a song" });
    await song.getByRole("button", { name: "Dislike" }).press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByText("No upcoming sessions scheduled or recommended.")).toBeFocused();
    await checkAccessibility();
    expect(await assistant.feedback(child.id)).toMatchObject({
      feedback: [
        { activity_id: "volcano/1 ü?", feedback: "up", reason: "She asked twice." },
        { activity_id: "song", feedback: "down" },
      ],
    });
  },
);

test(
  "feedback is taken back, and its activity stands in its place again",
  narrow,
  async ({ page, family, signInAt, checkAccessibility }) => {
    const { assistant, child } = family;
    const proposals = [
      { activity_id: "song", topic: "Times tables as a song" },
      { activity_id: "volcano/1 ü?", topic: "Build a paper volcano" },
      { activity_id: "kite", topic: "The lost kite" },
    ];
    const topics = page.locator("[data-activity] h2");
    await assistant.propose(child.id, proposals);
    await signInAt("activities/upcoming");
    const volcano = page.locator("[data-activity]").filter({ hasText: "Build a paper volcano" });
    await volcano.getByRole("button", { name: "Dislike" }).click();
    await volcano.getByRole("button", { name: "Submit" }).click();
    await expect(page.getByText("Disliked: Build a paper volcano")).toBeVisible();
    await expect(topics).toHaveText(["Times tables as a song", "The lost kite"]);
    await checkAccessibility();

    // What is proposed again stays hidden.
    await assistant.propose(child.id, [...proposals, { activity_id: "bees", topic: "How bees find home" }]);
    await expect(topics).toHaveText(["Times tables as a song", "The lost kite", "How bees find home"]);
    await page.getByRole("button", { name: "Undo" }).press("Enter");

    await expect(page.getByRole("heading", { name: "Build a paper volcano" })).toBeFocused();
    await expect(topics).toHaveText([
      "Times tables as a song",
      "Build a paper volcano",
      "The lost kite",
      "How bees find home",
    ]);
    await expect(page.getByText("Disliked: Build a paper volcano")).toHaveCount(0);
    expect(await assistant.feedback(child.id)).toMatchObject({ feedback: [] });
    await page.reload();
    await expect(topics).toHaveCount(4);
  },
);

test(
  "the whole row of a completed activity is its link at each width",
  anyWidth,
  async ({ page, family, signInAt }) => {
    const { assistant, child } = family;
    const session = await assistant.deliverMessage(child.id, "Moon", "Why does the moon follow us?");
    await assistant.complete("Moon", { duration: 600, score: "8 of 10", mood: "curious", topic: "The moon" });
    await signInAt("activities");
    const cells = page.getByRole("row").filter({ hasText: "The moon" }).getByRole("cell");
    for (const width of [390, 768, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await expect(cells).toHaveCount(5);
      for (const cell of await cells.all()) {
        await expect(cell).toBeInViewport({ ratio: 1 });
        // The link lies above the cell.
        await cell.click({ force: true });
        await expect(page).toHaveURL(`/child/${child.id}/transcripts?session=${session}`);
        await page.goBack();
        await expect(page).toHaveURL(`/child/${child.id}/activities/completed`);
      }
    }
  },
);

/** The parts of the page that are beyond the window. */
async function cutElements(page: Page): Promise<string[]> {
  return page.locator("main").evaluate((main) =>
    [...main.querySelectorAll("*")]
      .filter((element) => {
        const { left, right, width: wide } = element.getBoundingClientRect();
        const hidden =
          !element.checkVisibility({ visibilityProperty: true }) ||
          wide <= 1 ||
          element.closest("[class*=sr-only]") !== null;
        return !hidden && (right > innerWidth + 1 || left < -1);
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );
}

test("long words fit each page of a child at each width", anyWidth, async ({ page, family, signIn }) => {
  const { assistant, child } = family;
  const long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
  const session = await assistant.deliverMessage(child.id, "Moon", `Why does ${long} follow us?`);
  await assistant.complete("Moon", {
    duration: 600,
    score: long,
    mood: "curious",
    topic: `Moon and ${long}`,
  });
  await assistant.propose(child.id, [{ activity_id: "song", topic: `A song about ${long}` }]);
  await signIn(family.email);
  for (const section of [
    "summary",
    "activities/completed",
    "activities/upcoming",
    `transcripts?session=${session}`,
    "topic-blocklist",
  ]) {
    await page.goto(`/child/${child.id}/${section}`);
    for (const width of [390, 768, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await expect(
        page
          .getByText(/Moon|A song|Promotion/u)
          .filter({ visible: true })
          .first(),
      ).toBeVisible();
      await expectNoSidewaysScrolling(page);
      await expect.poll(() => cutElements(page), `what is cut on ${section} at ${width} px`).toEqual([]);
    }
  }
});
