import { anyWidth, expect, test } from "./fixtures";

test("a parent reads the summary with the assistant's report", async ({
  page,
  family,
  signInAt,
  checkAccessibility,
}) => {
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
