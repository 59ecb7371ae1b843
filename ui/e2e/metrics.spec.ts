import { expect, test, narrow } from "./fixtures";

test(
  "the metrics are shown as charts and as tables",
  narrow,
  async ({ page, family, signInAt, checkAccessibility }) => {
    const { assistant, child } = family;
    await signInAt("metrics");
    await expect(page.getByText("Charts appear after the first conversation.")).toBeVisible();
    await checkAccessibility();

    await assistant.open("one", { child_id: child.id, topic: "Octopuses" });
    await assistant.complete("one", { duration: 600, mood: "curious" });
    await page.reload();

    await expect(page.getByRole("heading", { name: "Metrics Page" })).toBeVisible();
    await expect(page.getByText("This is the Metrics route.")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Most often curious" })).toBeVisible();
    await checkAccessibility();
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(beyond, "pixels beyond the window").toBeLessThanOrEqual(0);

    const lengths = page.getByRole("slider", { name: "Conversations by length" });
    await lengths.focus();
    await page.keyboard.press("Home");
    await expect(lengths).toHaveAttribute("aria-valuetext", "less than 2 minutes: 0 conversations");

    await page.getByText("12 weeks").click();
    const weeks = page.getByRole("slider", { name: "Conversations of each week by mood" });
    await expect.poll(async () => Number(await weeks.getAttribute("aria-valuemax"))).toBeGreaterThan(10);
  },
);
