import { expect, test, anyWidth } from "./fixtures";

test(
  "a guardian shows a child what is kept, and a printed page has only that",
  anyWidth,
  async ({ page, family, signInAt, checkAccessibility }) => {
    await signInAt("settings/profile");
    await page.getByRole("link", { name: `A page for ${family.child.name}` }).click();
    await expect(page.getByRole("heading", { name: `A page for ${family.child.name}` })).toBeVisible();
    await checkAccessibility();

    await page.getByRole("radio", { name: "6 to 9" }).check();
    const letter = page.getByRole("article", { name: "The page" });
    await expect(letter).toContainText(`Hi ${family.child.name}! When you talk with`);
    await page.getByText("Change names and wording").click();
    await checkAccessibility();
    await page.getByRole("button", { name: `Save as ${family.child.name}'s page` }).click();
    await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("radio", { name: "6 to 9" })).toBeChecked();

    await page.emulateMedia({ media: "print" });
    await expect(letter).toBeVisible();
    await expect(page.getByRole("radio")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Print" })).toHaveCount(0);
  },
);
