import { anyWidth, expect, test } from "./fixtures";

test("the summary shows the assistant's report", async ({ page, family, signInAt, checkAccessibility }) => {
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
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(beyond, "pixels beyond the window").toBeLessThanOrEqual(0);
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

test("yesterday and this week are shown without a tap, and a topic and a pause are one tap away", async ({
  page,
  family: { assistant, child },
  signInAt,
  checkAccessibility,
}) => {
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
  await expect(page.getByRole("listitem").filter({ hasText: /^curious once$/u })).toBeVisible();
  await checkAccessibility();

  await page.getByRole("link", { name: "Octopuses" }).click();
  await expect(page.getByRole("heading", { name: "Transcript: Octopuses" })).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "Until tomorrow at 7" }).click();
  await expect(page.getByText(/^Paused until .*7:00 AM/u)).toBeVisible();
});
