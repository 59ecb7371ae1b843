import type { Page } from "@playwright/test";

import { canaries } from "./canaries";
import { expect, test, anyWidth } from "./fixtures";

/** The console messages for wrong digits, and for an expired code. */
const REFUSED = [
  /^error: Failed to load resource: the server responded with a status of (403|422)/u,
  /^error: RequestFailed/u,
];

/** Shows a QR code on 'You', and returns its link. */
async function showCode(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Show a QR code" }).click();
  await expect(page.getByRole("heading", { name: "Scan this with the other device" })).toBeFocused();
  const link = (await page.getByText(/\/pair#token=par_/u).textContent()) ?? "no link";
  canaries.note(link.split("#token=")[1] ?? "no token");
  return link;
}

/** Opens the link of a code, claims the code, and returns the digits. */
async function scan(phone: Page, link: string): Promise<string> {
  await phone.goto(link);
  await expect(phone).toHaveURL(/\/pair$/u);
  const claimed = phone.waitForResponse("**/api/auth/pairing/claim");
  await phone.getByRole("button", { name: "Sign this device in" }).click();
  const { claim }: { claim: string } = await (await claimed).json();
  canaries.note(claim);
  await expect(phone.getByRole("heading", { name: "Type these digits on the other device" })).toBeFocused();
  return (await phone.getByText(/^\d \d \d$/u).textContent()) ?? "no digits";
}

function otherThan(digits: string): string {
  return digits.startsWith("9") ? "000" : "999";
}

test(
  "a phone that scans the laptop's code is signed in once its digits are typed",
  anyWidth,
  async ({ page, family, signInAt, anotherBrowser, postOffice, checkAccessibility, consoleGuard }) => {
    for (const line of REFUSED) consoleGuard.expect(line);
    await signInAt("metrics");
    await page.goto("/you");
    const link = await showCode(page);
    await checkAccessibility();

    const phone = await anotherBrowser();
    await phone.goto(link);
    await expect(phone.getByRole("button", { name: "Sign this device in" })).toBeVisible();
    await checkAccessibility(phone);
    const digits = await scan(phone, link);
    await expect(phone.getByText("Robin Keller")).toBeVisible();
    await expect(phone.getByText(/has shown the code, from 127\.0\.0\.1, at/u)).toBeVisible();
    await checkAccessibility(phone);

    const field = page.getByRole("textbox", { name: "Type the three digits that it shows" });
    await expect(field).toBeFocused();
    await expect(page.getByText(/^Connected from 127\.0\.0\.1, at/u)).toBeVisible();
    await page.keyboard.type(otherThan(digits));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).toContainText("The other device shows other digits.");
    await checkAccessibility();
    await field.fill(digits);
    await page.keyboard.press("Enter");

    await expect(phone.getByRole("heading", { name: `Summary for ${family.child.name}` })).toBeVisible();
    await expect(page.getByRole("heading", { name: "That device is signed in." })).toBeFocused();
    await checkAccessibility();
    const mail = await postOffice.emailTo(family.email);
    expect(mail.subject).toBe("A new sign-in to Porchlight");

    // The phone is signed in, but has not stepped up.
    await phone.goto("/you");
    await phone.getByRole("button", { name: "Show a QR code" }).click();
    const dialog = phone.getByRole("dialog", { name: "Confirm that it is you" });
    await expect(dialog.getByRole("button", { name: "Send the code" })).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Ask my other devices" })).toHaveCount(0);
  },
);

test(
  "a second scan invalidates the code for both phones, and a signed-in browser is asked first",
  anyWidth,
  async ({ page, signIn, family, signInAt, anotherBrowser, checkAccessibility, consoleGuard }) => {
    for (const line of REFUSED) consoleGuard.expect(line);
    await signInAt("metrics");
    await page.goto("/you");
    const link = await showCode(page);
    const phone = await anotherBrowser();
    await scan(phone, link);

    const stranger = await anotherBrowser();
    await stranger.goto(link);
    await stranger.getByRole("button", { name: "Sign this device in" }).click();
    await expect(stranger.getByRole("alert")).toContainText("This code does not work any more.");
    await checkAccessibility(stranger);
    await expect(phone.getByRole("alert")).toContainText("This code does not work any more.");
    await phone.getByRole("button", { name: "Begin again" }).click();
    await expect(phone.getByText(/^Use a signed-in device/u)).toBeVisible();
    await checkAccessibility(phone);
    await expect(page.getByRole("heading", { name: "This code has ended" })).toBeFocused();
    await checkAccessibility();

    // A new code is opened in a browser that is signed in already.
    await page.getByRole("button", { name: "Begin again" }).click();
    const again = page.getByText(/\/pair#token=par_/u);
    await expect(again).not.toHaveText(link);
    const second = (await again.textContent()) ?? "no link";
    canaries.note(second.split("#token=")[1] ?? "no token");
    await signIn(family.email);
    const here = await page.context().newPage();
    await here.goto(second);
    await expect(here.getByText(/^You are signed in on this device as/u)).toBeVisible();
    await checkAccessibility(here);
    await here.getByRole("button", { name: "Stay signed in" }).click();
    await expect(here.getByRole("heading", { name: `Summary for ${family.child.name}` })).toBeVisible();
    await here.close();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("button", { name: "Show a QR code" })).toBeVisible();
    await phone.goto(second);
    await phone.getByRole("button", { name: "Sign this device in" }).click();
    await expect(phone.getByRole("alert")).toContainText("This code does not work any more.");
  },
);
