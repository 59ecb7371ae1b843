import type { Page } from "@playwright/test";

import { type Family, expect, test, anyWidth } from "./fixtures";

function at(minute: number): string {
  return new Date(Date.now() - (400 - minute) * 60_000).toISOString();
}

/** Delivers a long conversation that mentions an octopus far from its end, and a short one. */
async function deliverOctopuses({ assistant, child }: Family) {
  const said = (index: number, text_content: string) => ({
    message_id: `m${index}`,
    source: index % 2 === 0 ? "child" : "assistant",
    text_content,
    timestamp: at(index),
  });
  const long = Array.from({ length: 320 }, (_, index) =>
    said(index, index === 200 ? "Did you know an octopus has three hearts?" : `Number ${index}`),
  );
  const [one, other] = [`sea-${child.id}`, `cats-${child.id}`];
  await assistant.open(one, { child_id: child.id, topic: "The sea", start_time: at(0) });
  await assistant.deliver(one, long);
  await assistant.open(other, { child_id: child.id, topic: "Cats", start_time: at(350) });
  await assistant.deliver(other, [said(351, "Do cats eat octopuses?")]);
}

function box(page: Page) {
  return page.getByRole("searchbox", { name: "Search transcripts" });
}

test("a message is found with two taps and typing, opened in its conversation, and left again", async ({
  page,
  family,
  isMobile,
  signInAt,
  checkAccessibility,
}) => {
  await deliverOctopuses(family);
  await signInAt("transcripts");
  await box(page).click();
  await box(page).pressSequentially("octopus");
  const results = page.getByRole("region", { name: "Search results" });
  await expect(results.getByText("2 matches in 2 conversations")).toBeVisible();
  await expect(results.locator("mark")).toHaveText(["octopus", "octopus"]);
  if (!isMobile) await checkAccessibility();

  await results.getByRole("link", { name: /three hearts/u }).click();
  const heading = page.getByRole("heading", { name: "Transcript: The sea" });
  await expect(heading).toBeVisible();
  const message = page.locator('[data-message="m200"]');
  await expect(message).toBeInViewport();
  await expect(message.locator("mark")).toHaveText("octopus");
  await expect(page.locator('[data-message="m199"]')).toBeInViewport();
  await expect(page.getByText("1 of 1", { exact: true })).toBeVisible();
  expect(page.url()).not.toContain("octopus");
  if (!isMobile) await checkAccessibility();

  if (isMobile) await page.getByRole("button", { name: "Back to the conversations" }).click();
  await expect(results.getByText("2 matches in 2 conversations")).toBeVisible();
  await expect(box(page)).toHaveValue("octopus");
});

test(
  "searching, opening and moving between matches work with the keyboard alone",
  anyWidth,
  async ({ page, family, signInAt }) => {
    await deliverOctopuses(family);
    await signInAt("transcripts");
    await expect(page.getByRole("region", { name: "Conversations" })).toBeVisible();
    await page.keyboard.press("/");
    await expect(box(page)).toBeFocused();
    await page.keyboard.type("number 19");
    const results = page.getByRole("region", { name: "Search results" });
    await expect(results.getByText("11 matches in 1 conversation")).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect(results.getByRole("link", { name: "Number 198" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.locator('[data-message="m198"]')).toBeInViewport();
    await page.getByRole("button", { name: "Next match" }).press("Enter");
    await expect(page.getByText("11 of 11", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Next match" }).press("Enter");
    await expect(page.locator('[data-message="m19"]')).toBeInViewport();
  },
);

test(
  "a conversation opened at a match shows later corrections",
  anyWidth,
  async ({ page, family, signInAt }) => {
    await deliverOctopuses(family);
    await signInAt("transcripts");
    await box(page).fill("hearts");
    await page.getByRole("link", { name: /three hearts/u }).click();
    const next = page.locator('[data-message="m201"]');
    await expect(next).toContainText("Number 201");

    const corrected = { message_id: "m201", revision: 1, text_content: "Three, indeed.", timestamp: at(201) };
    await family.assistant.deliver(`sea-${family.child.id}`, [corrected]);

    await expect(next).toContainText("Three, indeed.");
    await expect(page.locator('[data-message="m200"]')).toBeInViewport();
  },
);

test(
  "if a conversation has more matches than loaded, the count is not shown as complete",
  anyWidth,
  async ({ page, family, signInAt }) => {
    await deliverOctopuses(family);
    await signInAt("transcripts");
    await box(page).fill("number");
    await page.getByRole("link", { name: "Number 319" }).click();

    await expect(page.getByText("100 of 100 so far")).toBeVisible();
  },
);
