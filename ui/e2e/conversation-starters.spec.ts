import { expect, test, anyWidth } from "./fixtures";

test(
  "a guardian reads a subject on Summary, opens the words, hides it, and turns all of it off",
  anyWidth,
  async ({ page, family, signInAt, checkAccessibility }) => {
    const { name, id } = family.child;
    for (const [topic, text] of [
      ["Moon", "Why does the moon change its shape?"],
      ["Bees", "How do bees make so much honey?"],
      ["Night", "Why is my dad always so sad?"],
    ] as const) {
      const message = { message_id: "1", source: "child", text_content: text };
      await family.assistant.open(topic, { child_id: id, topic });
      await family.assistant.deliver(topic, [{ ...message, timestamp: new Date().toISOString() }]);
    }

    await signInAt("summary");
    const region = page.getByRole("region", { name: "Something to talk about" });
    const moon = region.getByText(`${name} was curious about the moon this week.`);
    await expect(moon).toBeVisible();
    await expect(region.getByText(/was curious about/u)).toHaveCount(2);
    await expect(region.getByRole("blockquote")).toHaveCount(0);
    await checkAccessibility();

    await moon.click();
    await expect(region.getByRole("blockquote")).toHaveText("Why does the moon change its shape?");
    const advice = region.getByText(`Start with the subject. Don't quote ${name}.`);
    await expect(advice.filter({ visible: true })).toHaveCount(1);
    await checkAccessibility();
    await region.getByRole("button", { name: "Hide the moon" }).click();
    await expect(moon).toHaveCount(0);
    await page.reload();
    await expect(region.getByText(`${name} was curious about bees this week.`)).toBeVisible();
    await expect(moon).toHaveCount(0);

    await region.getByRole("button", { name: "Switch off Something to talk about" }).click();
    await expect(region).toHaveCount(0);
    await page.goto(`/child/${id}/settings/profile`);
    await page.getByRole("button", { name: "Switch on Something to talk about" }).click();
    await expect(page.getByRole("button", { name: "Switch off Something to talk about" })).toBeVisible();
    await checkAccessibility();
  },
);
