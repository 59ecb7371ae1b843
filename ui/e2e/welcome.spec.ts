import { randomUUID } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

import { canaries } from "./canaries";
import { test as base, expect, narrow } from "./fixtures";
import { Porchlight } from "./porchlight";

/** With a server that has not been set up. */
const test = base.extend<object, { porchlight: Porchlight }>({
  porchlight: [
    async ({ postOffice }, use) => {
      const porchlight = await Porchlight.start(await postOffice.open());
      await use(porchlight);
      await porchlight.stop();
    },
    { scope: "worker" },
  ],
});

/** The console messages for an expired link. */
const REFUSED = [
  /^error: Failed to load resource: the server responded with a status of 401/u,
  /^error: RequestFailed/u,
];

test(
  "the setup: from the link to the codes, a verified address and the first page",
  narrow,
  async ({ page, porchlight, anotherBrowser, postOffice, checkAccessibility, consoleGuard }) => {
    for (const line of REFUSED) consoleGuard.expect(line);
    const email = `ada-${randomUUID()}@example.com`;
    canaries.note(email);
    // Without a terminal the link is in a file that only the owner can read.
    const file = join(porchlight.data, "setup-link");
    const link = (await readFile(file, "utf8")).trim();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await porchlight.print("setup-link")).toBe(link);
    canaries.note(link.split("=")[1] ?? "");

    await page.goto("/login");
    await expect(page.getByText("This server is not set up yet.")).toBeVisible();
    await checkAccessibility();
    await page.goto(link);
    await expect(page.getByRole("heading", { name: "Set up Porchlight" })).toBeVisible();
    await checkAccessibility();
    await page.getByRole("textbox", { name: "Your name" }).fill("Ada");
    await page.getByRole("textbox", { name: "Your email address" }).fill(email);
    await page.getByRole("textbox", { name: "Your child's name" }).fill("Mia");
    await page.getByRole("button", { name: "Add a child" }).click();
    await page.keyboard.type("Noah");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Keep your recovery codes" })).toBeFocused();
    expect(page.url()).toBe(`${porchlight.url}/welcome`);

    // The link works in a second browser, because a QR scanner app's browser keeps no cookies.
    const scanner = await anotherBrowser();
    await scanner.goto(link);
    await expect(scanner.getByRole("heading", { name: "Keep your recovery codes" })).toBeVisible();
    await page.getByRole("button", { name: "Make my codes" }).click();
    const codes = page.getByRole("listitem");
    await expect(codes).toHaveCount(10);
    for (const code of await codes.allTextContents()) canaries.note(code);
    await checkAccessibility();
    await page.getByRole("button", { name: "I've saved them" }).click();
    await expect(page.getByRole("heading", { name: "Porchlight is set up" })).toBeFocused();
    await checkAccessibility();
    await expect.poll(() => stat(file).then(Boolean, () => false)).toBe(false);

    // Once confirmed with an e-mail's code, the address can sign in.
    await page.getByRole("button", { name: "Confirm this address" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm this address" });
    await dialog.getByRole("button", { name: "Send the code" }).click();
    const mail = await postOffice.emailTo(email);
    const code = /^\d{3} \d{3}$/mu.exec(mail.text ?? "")?.[0] ?? "no code";
    canaries.note(code);
    await dialog.getByRole("textbox", { name: "Code from the email" }).fill(code);
    await page.keyboard.press("Enter");
    await expect(page.getByText("The address is confirmed")).toBeVisible();
    await page.getByRole("button", { name: "Connect an assistant" }).click();
    await expect(page.getByRole("heading", { name: "What does Mia talk to?", level: 1 })).toBeFocused();
    await checkAccessibility();
    await page.getByRole("link", { name: "Summary" }).first().click();
    await expect(page.getByRole("heading", { name: "Summary for Mia" })).toBeVisible();
    await expect(page.getByRole("link", { name: "No assistant connected." })).toBeVisible();
    await expect(page.getByRole("link", { name: "Connect an assistant" })).toBeInViewport();
    await checkAccessibility();

    // The link is no longer valid, and the scanner's browser stays signed in.
    const late = await anotherBrowser();
    await late.goto(link);
    await expect(late.getByRole("alert")).toContainText("This link does not work any more.");
    await scanner.goto("/");
    await expect(scanner.getByRole("heading", { name: "Summary for Mia" })).toBeVisible();
  },
);
