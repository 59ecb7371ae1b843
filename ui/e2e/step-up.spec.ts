import { canaries } from "./canaries";
import { anyWidth, expect, test } from "./fixtures";
import { CACHE_CLEARED } from "./network-gate";
import { linkIn } from "./post-office";

/** The console messages for a refused request. */
const REFUSED = [
  /^error: Failed to load resource: the server responded with a status of (403|422)/u,
  /^error: RequestFailed/u,
];

test(
  "a parent keeps recovery codes, confirms by email before a copy, and comes back with a code",
  anyWidth,
  async ({ page, family, postOffice, checkAccessibility, consoleGuard }) => {
    for (const line of [...REFUSED, CACHE_CLEARED]) consoleGuard.expect(line);
    await page.goto("/login");
    await page.getByRole("textbox", { name: "Email" }).fill(family.email);
    await page.keyboard.press("Enter");
    await page.goto(linkIn(await postOffice.emailTo(family.email)));
    await expect(page.getByRole("heading", { name: `Summary for ${family.child.name}` })).toBeVisible();

    // The first codes are shown once.
    await page.getByRole("link", { name: "Make my codes" }).click();
    await page.getByRole("button", { name: "Make my codes" }).click();
    const shown = page.getByRole("region", { name: "Recovery codes" }).getByRole("listitem");
    await expect(shown).toHaveCount(10);
    const codes = await shown.allTextContents();
    for (const code of codes) canaries.note(code);
    const ofCodes = await postOffice.emailTo(family.email);
    expect(ofCodes.subject).toBe("New recovery codes for Porchlight");
    await checkAccessibility();
    await page.getByRole("button", { name: "I've saved them" }).click();
    await expect(page.getByText("10 of 10 recovery codes left")).toBeVisible();
    await expect(page.getByText(codes[0] ?? "no code")).toHaveCount(0);

    // An e-mail's link alone is not enough for a copy of everything.
    await page.goBack();
    await page.getByRole("button", { name: `Download ${family.child.name}'s data` }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.getByRole("button", { name: "Send the code" }).click();
    const mail = await postOffice.emailTo(family.email);
    const code = /^\d{3} \d{3}$/mu.exec(mail.text ?? "")?.[0] ?? "no code";
    canaries.note(code);
    expect(mail.html).toContain(code);
    await expect(dialog.getByRole("textbox", { name: "Code from the email" })).toBeFocused();
    await page.keyboard.type("000 000");
    await page.keyboard.press("Enter");
    await expect(dialog.getByRole("alert")).toContainText("This code does not work.");
    await checkAccessibility();
    await dialog.getByRole("textbox").fill(code);
    const downloading = page.waitForEvent("download");
    await page.keyboard.press("Enter");
    await downloading;
    await expect(dialog).toBeHidden();

    // Signed out, without an e-mail.
    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.keyboard.type((codes[1] ?? "").toLowerCase().replaceAll("-", " "));
    await checkAccessibility();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: `Summary for ${family.child.name}` })).toBeVisible();
    await page.goto("/you");
    await expect(page.getByText("9 of 10 recovery codes left")).toBeVisible();
  },
);
