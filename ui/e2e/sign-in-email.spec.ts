import { anyWidth, expect, test } from "./fixtures";
import { linkIn } from "./post-office";

/** What the browser and the app log about an error response. */
const REFUSED = [
  /^error: Failed to load resource: the server responded with a status of 401/u,
  /^error: RequestFailed/u,
];

/** The e-mail is asked for in the first browser, which keeps the address. */
test.beforeEach(async ({ page, family }) => {
  await page.goto("/login");
  await page.getByRole("textbox", { name: "Email" }).fill(family.email);
  await page.getByRole("button", { name: "Send Sign-In Link" }).click();
  await expect(page.getByText(`Sign-in link sent to ${family.email}. Check your inbox!`)).toBeVisible();
});

test(
  "a link works after a mail scanner has opened it and run its scripts",
  anyWidth,
  async ({ page, anotherBrowser, family, postOffice, consoleGuard }) => {
    consoleGuard.expect(/Email is required/u);
    const link = linkIn(await postOffice.emailTo(family.email));
    for (let scans = 0; scans < 2; scans += 1) {
      const scanner = await anotherBrowser();
      await scanner.goto(link, { waitUntil: "networkidle" });
      await expect(
        scanner.getByRole("textbox", { name: "Please provide your email for confirmation:" }),
      ).toBeVisible();
      // Some press what can be pressed.
      await scanner.getByRole("button", { name: "Confirm" }).click();
      await expect(scanner.getByRole("alert")).toHaveText(
        "Email is required to complete sign-in. Please try sending the link again.",
      );
    }

    await page.goto(link);

    await expect(page.getByText("Successfully signed in! Redirecting...")).toBeVisible();
    await expect(page.getByRole("heading", { name: `Summary for ${family.child.name}` })).toBeVisible();
  },
);

test(
  "a link that was used shows an error the second time",
  anyWidth,
  async ({ page, anotherBrowser, family, postOffice, consoleGuard }) => {
    for (const line of REFUSED) consoleGuard.expect(line);
    const link = linkIn(await postOffice.emailTo(family.email));
    await page.goto(link);
    await expect(page.getByRole("heading", { name: `Summary for ${family.child.name}` })).toBeVisible();

    // Where it signed in, it leads on.
    await page.goto("about:blank");
    await page.goto(link);
    await expect(page.getByRole("heading", { name: `Summary for ${family.child.name}` })).toBeVisible();
    // In another browser it is used up, also with the right address.
    const other = await anotherBrowser();
    await other.goto(link);
    await other
      .getByRole("textbox", { name: "Please provide your email for confirmation:" })
      .fill(family.email);
    await other.getByRole("button", { name: "Confirm" }).click();
    await expect(other.getByRole("alert")).toHaveText(
      "This sign-in link has already been used. Please ask for a new one.",
    );
    await expect(other.getByRole("button", { name: "Try again" })).toHaveCount(0);
    await other.getByRole("button", { name: "Go to Login" }).click();
    await expect(other.getByRole("heading", { name: "Sign In with Email Link" })).toBeVisible();
  },
);
