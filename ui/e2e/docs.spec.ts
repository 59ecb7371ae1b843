import { anyWidth, expect, test } from "./fixtures";

test(
  "the API documentation supports authorising and trying a call",
  anyWidth,
  async ({ page, family, porchlight }) => {
    const [token = ""] = (await porchlight.print("token", family.email)).split("\n");
    await page.goto("/api/docs");

    await page.getByRole("button", { name: "Authorize" }).click();
    const dialogue = page.locator(".modal-ux");
    const guardian = dialogue.locator(".auth-container").filter({ hasText: "guardian (http, Bearer)" });
    await guardian.getByRole("textbox").fill(token);
    await guardian.getByRole("button", { name: "Apply credentials" }).click();
    await dialogue.getByRole("button", { name: "Close" }).last().click();

    const call = page.locator("#operations-children-listChildren");
    await call.getByRole("button").first().click();
    await call.getByRole("button", { name: "Try it out" }).click();
    await call.getByRole("button", { name: "Execute" }).click();

    const answer = call.locator(".live-responses-table");
    await expect(answer.locator(".response-col_status").last()).toContainText("200");
    await expect(answer).toContainText(`"child_id": ${family.child.id}`);
    await expect(answer).toContainText(`"name": "${family.child.name}"`);
  },
);
