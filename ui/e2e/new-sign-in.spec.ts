import { canaries } from "./canaries";
import { expect, test, anyWidth } from "./fixtures";

test(
  "a sign-in with a recovery code is seen on the other device, and told by email",
  anyWidth,
  async ({ page, family, signInAt, anotherBrowser, postOffice, checkAccessibility, consoleGuard }) => {
    // The next requests of the browser whose sign-in was ended.
    consoleGuard.expect(/^error: Failed to load resource: the server responded with a status of 401/u);
    await signInAt("metrics");
    await page.goto("/you");
    await page.getByRole("button", { name: "Make my codes" }).click();
    const shown = page.getByRole("region", { name: "Recovery codes" }).getByRole("listitem");
    await expect(shown).toHaveCount(10);
    const code = (await shown.allTextContents())[0] ?? "";
    canaries.note(code);
    const emailAbout = async (subject: string) => {
      for (;;) {
        const next = await postOffice.emailTo(family.email);
        if (next.subject === subject) return next;
      }
    };
    // Before it came the one about this browser, which signed in by the administrator's link.
    await emailAbout("New recovery codes for Porchlight");

    const stranger = await anotherBrowser();
    await stranger.goto("/login");
    await stranger.getByRole("button", { name: "Use a recovery code" }).click();
    await stranger.getByRole("textbox", { name: "Recovery code" }).fill(code);
    await stranger.keyboard.press("Enter");
    await expect(stranger.getByRole("heading", { name: /^Summary for/u })).toBeVisible();
    const mail = await emailAbout("A new sign-in to Porchlight");
    expect(mail.text).toContain("Chrome on");

    await page.goto(`/child/${family.child.id}/metrics`);
    await checkAccessibility();
    await page.getByRole("link", { name: "Was it you?" }).click();
    await expect(page.getByText("New", { exact: true })).toBeVisible();
    await expect(page.getByText(/^Chrome on/u)).toBeVisible();
    await checkAccessibility();

    // The sign-in is ended, and the notice disappears.
    await page
      .getByRole("button", { name: /^Sign out ./u })
      .first()
      .click();
    await expect(page.getByText("That device is signed out.")).toBeVisible();
    await page.goto(`/child/${family.child.id}/metrics`);
    await expect(page.getByRole("heading", { name: "Metrics Page" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Was it you?" })).toHaveCount(0);
  },
);
