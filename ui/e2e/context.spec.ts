import { expect, test, anyWidth } from "./fixtures";

test(
  "a context that a parent writes is in the assistant's rules",
  anyWidth,
  async ({ page, family, signInAt, checkAccessibility }) => {
    const { assistant, child } = family;
    expect((await assistant.rules(child.id)).context).toBeUndefined();
    await signInAt("context");
    await expect(page.getByRole("heading", { name: "Context for Mia" })).toBeVisible();
    await checkAccessibility();

    await page
      .getByRole("textbox", { name: "What should the assistant know?" })
      .fill("Mia is eight.\nShe likes bees.");
    await page.getByRole("button", { name: "Save" }).click();

    await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
    await page.getByText("What the assistant is told", { exact: true }).click();
    await expect(page.getByText("She likes bees.", { exact: false }).last()).toBeVisible();
    await checkAccessibility();
    const rules = await assistant.rules(child.id);
    expect(rules.context).toBe("Mia is eight.\nShe likes bees.");
    expect(rules.version).toMatch(/^1-/u);
    await page.reload();
    await expect(page.getByRole("textbox", { name: "What should the assistant know?" })).toHaveValue(
      "Mia is eight.\nShe likes bees.",
    );
  },
);
