import { anyWidth, expect, test, narrow } from "./fixtures";

test(
  "the summary shows the assistant's report",
  narrow,
  async ({ page, family, signInAt, checkAccessibility }) => {
    const { assistant, child } = family;
    await signInAt("summary");
    await expect(page.getByText("No summary data available.")).toBeVisible();
    await checkAccessibility();

    const report = {
      headline: "Mia asks why.",
      long: "and on ".repeat(40).trim(),
      numbers: [1, 2.5, null, true],
    };
    await assistant.report(child.id, report);
    await assistant.open("one", { child_id: child.id, topic: "القمر والنجوم" });
    await assistant.complete("one", { duration: 600, mood: "curious" });
    await page.reload();

    const shown = page.getByRole("region", { name: "Summary as JSON" });
    await expect(shown.getByText("Mia asks why.")).toBeVisible();
    const summary: unknown = JSON.parse(await shown.locator("pre").innerText());
    expect(summary).toMatchObject({ sessions: 1, minutes: 10, moods: { curious: 1 }, report });
    await checkAccessibility();
    const box = await shown.boundingBox();
    expect(box?.height, "the raw data scrolls by itself").toBeLessThanOrEqual(240);
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(beyond, "pixels beyond the window").toBeLessThanOrEqual(0);
  },
);

test("in a wide window the status is beside the story", anyWidth, async ({ page, family, signInAt }) => {
  await family.assistant.open("one", { child_id: family.child.id, topic: "Octopuses" });
  await signInAt("summary");
  const story = page.getByText("Today:");
  const status = page.getByRole("region", { name: "Now" });
  const beside = async () => {
    const [left, right] = [await story.boundingBox(), await status.boundingBox()];
    return (left?.x ?? 0) + (left?.width ?? 0) < (right?.x ?? 0);
  };

  await page.setViewportSize({ width: 1100, height: 800 });
  await expect.poll(beside).toBe(true);
  await page.setViewportSize({ width: 1099, height: 800 });
  await expect.poll(beside).toBe(false);
});

test("the summary can be copied", anyWidth, async ({ page, context, family, signInAt }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await family.assistant.report(family.child.id, { headline: "Mia asks why." });
  await signInAt("summary");

  await page.getByRole("button", { name: "Copy" }).click();

  await expect(page.getByText("Copied")).toBeVisible();
  const copied: unknown = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  expect(copied).toMatchObject({ report: { headline: "Mia asks why." } });
});

test(
  "yesterday and this week are shown without a tap, and a topic and a pause are near",
  narrow,
  async ({ page, family: { assistant, child }, signInAt, checkAccessibility }) => {
    const dayAgo = Date.now() - 24 * 60 * 60_000;
    await assistant.open("yesterday", {
      child_id: child.id,
      topic: "Octopuses",
      start_time: new Date(dayAgo).toISOString(),
    });
    await assistant.complete("yesterday", { duration: 720, mood: "curious" });

    await signInAt("summary");

    const yesterday = page.getByText("Yesterday:").locator("..");
    // A session that passed midnight counts partly for today.
    await expect(yesterday).toHaveText(/^Yesterday: \d+ minutes? in 1 conversation, about Octopuses\.$/u);
    await expect(yesterday).toBeInViewport();
    const isMonday = new Date().getDay() === 1;
    const week = isMonday ? /^Last week: \d+ minutes?$/u : /^This week: 12 minutes$/u;
    await expect(page.getByText(week)).toBeInViewport();
    const today = await page.getByText("Today:").boundingBox();
    expect(today?.y, "the row and 'Today' are on a phone's first screen").toBeLessThan(700);
    const topics = page.getByRole("region", { name: "What it was about" });
    await topics.getByText("Octopuses").click();
    await checkAccessibility();
    const conversation = topics.getByRole("link", { name: /^(?:Yesterday|\w+ \d+,) \d+:\d\d [AP]M$/u });
    await conversation.click();
    await expect(page.getByRole("heading", { name: "Transcript: Octopuses" })).toBeVisible();
    await page.goBack();
    const unconfirmed = page.getByText("No answer yet from an assistant. It may go on talking.");
    const line = page.getByRole("region", { name: "Now" }).locator("div").first();
    const before = await line.boundingBox();
    await page.getByRole("button", { name: "Pause for an hour" }).click();
    await expect(unconfirmed).toBeVisible();
    const end = line.getByText(/^Paused until (?:\w+, \w+ \d+, )?\d+:\d\d\s[AP]M/u);
    await expect(end).toBeInViewport({ ratio: 1 });
    // In the last hour of a day the sentence has tomorrow's date, and may need another line.
    if (!(await end.innerText()).includes(","))
      expect((await line.boundingBox())?.height, "the line keeps its height").toBe(before?.height);
    await assistant.rules(child.id);
    await expect(unconfirmed).toBeHidden();
    await expect(end).toBeVisible();
    await page.getByRole("button", { name: "Until tomorrow at 7" }).click();
    await expect(unconfirmed).toBeVisible();
    await assistant.rules(child.id);
    await expect(unconfirmed).toBeHidden();
    await expect(line.getByText(/^Paused until .*7:00 AM/u)).toBeVisible();
  },
);
