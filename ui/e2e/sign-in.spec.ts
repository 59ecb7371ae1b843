import { anyWidth, expect, test, narrow } from "./fixtures";
import { CACHE_CLEARED } from "./network-gate";
import { linkIn } from "./post-office";

test(
  "a parent signs in by email and meets their child",
  narrow,
  async ({ page, family, postOffice, checkAccessibility }) => {
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "Sign In with Email Link" })).toBeVisible();
    await checkAccessibility();
    await page.getByRole("textbox", { name: "Email" }).fill(family.email);
    await page.keyboard.press("Enter");
    await expect(page.getByText(`Sign-in link sent to ${family.email}. Check your inbox!`)).toBeVisible();
    await checkAccessibility();

    const mail = await postOffice.emailTo(family.email);
    const link = linkIn(mail);
    expect(mail.html).toContain(link);
    expect(link).not.toContain("@");

    await page.goto(link);
    await expect(page.getByText("Successfully signed in! Redirecting...")).toBeVisible();
    expect(page.url()).not.toContain("lnk_");
    await expect(page.getByRole("heading", { name: `Summary for ${family.child.name}` })).toBeVisible();
    await expect(page).toHaveURL(`/child/${family.child.id}/summary`);
    await checkAccessibility();

    await page.reload();
    await expect(page.getByRole("heading", { name: `Summary for ${family.child.name}` })).toBeVisible();
  },
);

test(
  "another browser asks for the address, and rejects a blank one",
  anyWidth,
  async ({ page, browser, family, postOffice, consoleGuard, porchlight }) => {
    await page.goto("/login");
    await page.getByRole("textbox", { name: "Email" }).fill(family.email);
    await page.keyboard.press("Enter");
    const link = linkIn(await postOffice.emailTo(family.email));
    consoleGuard.expect(/Email is required/u);
    const elsewhere = await browser.newContext();
    elsewhere.on("page", (opened) => consoleGuard.watch(opened, porchlight.url));
    const other = await elsewhere.newPage();

    await other.goto(link);
    await other.getByRole("button", { name: "Confirm" }).click();
    await expect(other.getByRole("alert")).toHaveText(
      "Email is required to complete sign-in. Please try sending the link again.",
    );

    // The link was not used up: opened again, it asks for the address again, and works.
    await other.goto("about:blank");
    await other.goto(link);
    await other
      .getByRole("textbox", { name: "Please provide your email for confirmation:" })
      .fill(family.email);
    await other.getByRole("button", { name: "Confirm" }).click();
    await expect(other.getByText("Successfully signed in! Redirecting...")).toBeVisible();
    await elsewhere.close();
  },
);

test(
  "signing out in one tab signs out the other",
  anyWidth,
  async ({ page, context, family, signInAt, consoleGuard }) => {
    consoleGuard.expect(CACHE_CLEARED);
    // Requests of the other tab that are in flight are rejected.
    consoleGuard.expect(/status of 401/u);
    await signInAt();
    const other = await context.newPage();
    await other.goto(`/child/${family.child.id}/transcripts`);
    await expect(other.getByRole("heading", { name: `Transcripts for ${family.child.name}` })).toBeVisible();

    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByRole("menuitem", { name: "Sign out everywhere" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign out everywhere" });
    await dialog.getByRole("button", { name: "Sign out everywhere" }).click();

    await expect(page).toHaveURL("/login");
    await expect(other).toHaveURL("/login");
  },
);

test(
  "an address that nobody added gets the same answer and no email",
  anyWidth,
  async ({ page, family, postOffice }) => {
    const stranger = `stranger-of-${family.email}`;
    await page.goto("/login");
    for (const email of [stranger, family.email]) {
      await page.getByRole("textbox", { name: "Email" }).fill(email);
      await page.getByRole("button", { name: "Send Sign-In Link" }).click();
      await expect(page.getByText(`Sign-in link sent to ${email}. Check your inbox!`)).toBeVisible();
    }

    await postOffice.emailTo(family.email);

    expect(postOffice.emailsTo(stranger)).toEqual([]);
  },
);
