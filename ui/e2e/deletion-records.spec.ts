import { expect, test, anyWidth } from "./fixtures";

const CANARY = "canaryoctopus";

test(
  "what an only guardian deletes permanently is recorded, and checked once the files were compacted",
  anyWidth,
  async ({ page, family, porchlight, signInAt, consoleGuard, checkAccessibility }) => {
    // For a conversation that was erased while it was refetched.
    consoleGuard.expect(/404/u);
    const name = `Sea-${family.child.id}`;
    const session = await family.assistant.deliverMessage(family.child.id, name, CANARY);
    await signInAt(`transcripts?session=${session}`);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("link", { name: "Recently deleted" }).click();
    await expect(page.getByRole("heading", { name: "Recently deleted for Mia" })).toBeVisible();
    const records = page.getByRole("region", { name: "Deleted permanently" });
    await expect(records).toHaveCount(0);

    await page.getByRole("button", { name: `Delete permanently ${name}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }).click();
    const record = records.getByRole("listitem");
    await expect(record).toHaveCount(1);
    await expect(record).toContainText(/^Deleted on \w{3} \d{1,2}: 1 conversation, 1 message, /u);
    await expect(record).toContainText(/Asked for by you, /u);
    // The server compacts its files at most once an hour by itself, and at once for this command.
    await porchlight.command("child", "rename", String(family.child.id), "Mia");

    await expect(record).toContainText("Checked: no longer in any of Porchlight's data files.");
    await expect(records).not.toContainText(CANARY);
    await checkAccessibility();
  },
);
