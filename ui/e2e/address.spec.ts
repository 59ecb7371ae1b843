import { canaries } from "./canaries";
import { expect, test, anyWidth } from "./fixtures";
import type { PostOffice } from "./post-office";

/** The log messages for an expired link. */
const REFUSED = [
  /^error: Failed to load resource: the server responded with a status of 422/u,
  /^error: RequestFailed: The server answered with status 422/u,
];

/** The link in the next e-mail to an address that is about addresses. */
async function linkTo(postOffice: PostOffice, address: string): Promise<string> {
  const mail = await postOffice.emailTo(address);
  const link = /\S+\/address#(?:token|stop)=(\S+)/u.exec(mail.text ?? "");
  // The sign-in is notified by e-mail, too.
  if (link === null) return linkTo(postOffice, address);
  canaries.note(link[1]);
  expect(mail.html).toContain(link[0]);
  return link[0];
}

test(
  "a change of address is confirmed from the new address and stopped from the old one",
  anyWidth,
  async ({ page, family, postOffice, signInAt, anotherBrowser, checkAccessibility, consoleGuard }) => {
    for (const line of REFUSED) consoleGuard.expect(line);
    const next = family.email.replace("@", "-next@");
    await signInAt("metrics");
    await page.goto("/you");
    const people = page.getByRole("region", { name: "Your email address" });
    await people.getByRole("button", { name: "Change your address" }).click();
    await page.keyboard.type(next);
    await checkAccessibility();
    await page.keyboard.press("Enter");
    await expect(people.getByText(`We sent an email to ${next}.`)).toBeVisible();
    await checkAccessibility();

    // The new address is confirmed in another browser, by a press.
    const there = await anotherBrowser();
    await there.goto(await linkTo(postOffice, next));
    await expect(there).toHaveURL("/address");
    await checkAccessibility(there);
    await there.getByRole("button", { name: "Confirm this address" }).click();
    await expect(there.getByRole("heading", { name: "The address is confirmed" })).toBeFocused();
    await page.reload();
    await expect(people.getByText(`It becomes ${next} tomorrow `)).toBeVisible();

    // The e-mail to the old address stops it, once.
    const stop = await linkTo(postOffice, family.email);
    await there.goto(stop);
    await there.getByRole("button", { name: "Stop the change" }).click();
    await expect(there.getByRole("heading", { name: "The change is stopped" })).toBeFocused();
    await checkAccessibility(there);
    await there.goto("/login");
    await there.goto(stop);
    await there.getByRole("button", { name: "Stop the change" }).click();
    await expect(there.getByRole("alert")).toContainText("This link does not work any more.");
    await page.reload();
    await expect(people.getByRole("button", { name: "Change your address" })).toBeVisible();
    await expect(people.getByText(family.email, { exact: true })).toBeVisible();
  },
);
