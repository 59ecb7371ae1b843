import { canaries } from "./canaries";
import { testWithClock } from "./clock-fixture";
import { expect, signInByCommand, anyWidth } from "./fixtures";
import { clockLibrary } from "./server-clock";

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/** The console messages for a call that requires step-up, and for wrong digits. */
const REFUSED = [
  /^error: Failed to load resource: the server responded with a status of (403|422)/u,
  /^error: RequestFailed/u,
];

const test = testWithClock();

test.skip(clockLibrary === undefined, "libfaketime is missing. Run: apt-get install faketime");

test(
  "a laptop signed in for over a day confirms a new phone's step-up with its digits, or rejects it",
  anyWidth,
  async ({ page, family, porchlight, clock, signIn, anotherBrowser, checkAccessibility, consoleGuard }) => {
    for (const line of REFUSED) consoleGuard.expect(line);
    await signIn(family.email);
    await clock.advance(DAY + MINUTE);
    const phone = await anotherBrowser();
    await signInByCommand(phone.context(), porchlight, family.email);
    // Signing in with the administrator's link counts as step-up for ten minutes.
    await clock.advance(11 * MINUTE);
    await page.goto(`/child/${family.child.id}/metrics`);
    await expect(page.getByRole("heading", { name: "Metrics Page" })).toBeVisible();

    await phone.goto("/you");
    await phone.getByRole("button", { name: "Show a QR code" }).click();
    const dialog = phone.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.getByRole("button", { name: "Ask my other devices" }).click();
    await checkAccessibility(phone);
    await dialog.getByRole("button", { name: "Ask my other devices" }).click();
    await expect(dialog.getByText(/^\d \d \d$/u)).toBeAttached();
    await checkAccessibility(phone);

    // The laptop shows the request without a reload, and rejects it.
    const notice = page.getByRole("region", { name: "Is this you?" });
    await expect(notice.getByText(/asks whether this is you\.$/u)).toBeVisible();
    await expect(notice.getByText(/^Connected from 127\.0\.0\.1, at/u)).toBeVisible();
    await checkAccessibility();
    await notice.getByRole("button", { name: "It is not me" }).click();
    await expect(notice.getByText(/^It was refused\./u)).toBeVisible();
    await expect(page.getByRole("heading", { name: "Metrics Page" })).toBeFocused();
    await checkAccessibility();
    await expect(dialog.getByText(/^It was refused, or it took too long\./u)).toBeVisible();
    await checkAccessibility(phone);

    // The second request is confirmed.
    await dialog.getByRole("button", { name: "Try again" }).click();
    const digits = (await dialog.getByText(/^\d \d \d$/u).textContent()) ?? "no digits";
    const field = notice.getByRole("textbox", { name: "Type the three digits that it shows" });
    await field.fill(digits.startsWith("9") ? "000" : "999");
    await page.keyboard.press("Enter");
    await expect(notice.getByRole("alert")).toContainText("The other device shows other digits.");
    await checkAccessibility();
    await field.fill(digits);
    await page.keyboard.press("Enter");
    await expect(notice.getByText("Confirmed on your other device.")).toBeVisible();

    await expect(dialog).toBeHidden();
    await expect(phone.getByRole("heading", { name: "Scan this with the other device" })).toBeVisible();
    const link = (await phone.getByText(/\/pair#token=par_/u).textContent()) ?? "no link";
    canaries.note(link.split("#token=")[1] ?? "no token");
    await notice.getByRole("button", { name: "Close" }).click();
    await expect(notice).toHaveCount(0);
  },
);
