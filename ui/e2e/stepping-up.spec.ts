import type { Page } from "@playwright/test";

import { canaries } from "./canaries";
import { testWithClock } from "./clock-fixture";
import { type Family, anyWidth, expect, signInByCommand } from "./fixtures";
import type { PostOffice } from "./post-office";
import { clockLibrary } from "./server-clock";

/** Signing in with a link counts as step-up for ten minutes. */
const ELEVEN_MINUTES = 11 * 60;

/** The console messages for a call that requires step-up, an expired token, and pages of a deleted child. */
const REFUSED = [
  /^error: Failed to load resource: the server responded with a status of (401|403|404)/u,
  /^error: RequestFailed: The server answered with status (403|404)/u,
];

const test = testWithClock();

test.skip(clockLibrary === undefined, "libfaketime is missing. Run: apt-get install faketime");

interface Situation {
  page: Page;
  family: Family;
  /** Another guardian of the child, in another browser. */
  others: Page;
}

/** An action that requires step-up. */
interface Action {
  /** The operation in openapi.yaml. */
  operation: string;
  /** Tells apart actions of one operation. */
  what?: string;
  isShared?: boolean;
  /** Sets up the preconditions. */
  prepare?: (situation: Situation) => Promise<void>;
  path: (family: Family) => string;
  /** Performs the action up to the dialog. */
  act: (situation: Situation) => Promise<void>;
  /** The input, which must be kept. */
  typed?: string;
  done: (situation: Situation) => Promise<void>;
}

const main = (page: Page) => page.getByRole("main");
const waiting = (page: Page) => page.getByRole("region", { name: "Waiting for an answer" });
const howLong = (page: Page) => page.getByRole("region", { name: "How long conversations are kept" });
const settings =
  (part: "assistants" | "profile") =>
  ({ child }: Family) =>
    `/child/${child.id}/settings/${part}`;

/** Records a secret that the page shows as a canary. */
async function noteShown(page: Page, secret: RegExp): Promise<void> {
  canaries.noteSecretsIn((await main(page).getByText(secret).textContent()) ?? "no secret");
}

/** Chooses a shorter time for a child's conversations. */
async function keepFor90Days(page: Page): Promise<void> {
  await howLong(page).getByRole("radio", { name: "90 days" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep them for 90 days" }).click();
}

// Each other operation is in src/layout/stepping-up.test.tsx.
const actions: readonly Action[] = [
  {
    operation: "connectAssistant",
    path: settings("assistants"),
    act: async ({ page }) => {
      await main(page).getByRole("link", { name: "Connect an assistant" }).click();
      await main(page).getByRole("link", { name: "Home Assistant" }).click();
      await main(page).getByRole("textbox", { name: "Name, for example Kitchen" }).fill("Attic");
      await page.keyboard.press("Enter");
    },
    typed: "Attic",
    done: async ({ page }) => {
      await expect(main(page).getByRole("heading", { name: "Three steps to connect it" })).toBeVisible();
      await noteShown(page, /^ast_/u);
    },
  },
  {
    operation: "chooseRetention",
    path: settings("profile"),
    act: async ({ page }) => keepFor90Days(page),
    done: async ({ page }) => {
      await expect(howLong(page).getByRole("radio", { name: "90 days" })).toBeChecked();
    },
  },
  {
    operation: "confirmRequest",
    what: " of a shorter retention",
    isShared: true,
    prepare: async ({ others, family }) => {
      await others.goto(settings("profile")(family));
      await keepFor90Days(others);
      await expect(waiting(others)).toBeVisible();
    },
    path: ({ child }) => `/child/${child.id}/summary`,
    act: async ({ page }) => waiting(page).getByRole("button", { name: "Agree" }).click(),
    done: async ({ page }) => expect(waiting(page)).toHaveCount(0),
  },
  {
    operation: "exportChild",
    path: ({ child }) => `/child/${child.id}/summary`,
    act: async ({ page }) => page.getByRole("button", { name: /^Download /u }).click(),
    done: async ({ page }) => expect(page.getByText("The file is in your downloads.")).toBeVisible(),
  },
];

/** The code in the next e-mail to an address that carries one. */
async function codeTo(postOffice: PostOffice, address: string): Promise<string> {
  const mail = await postOffice.emailTo(address);
  const code = /^\d{3} \d{3}$/mu.exec(mail.text ?? "")?.[0];
  // A new sign-in is also notified by e-mail.
  if (code === undefined) return codeTo(postOffice, address);
  canaries.note(code);
  return code;
}

for (const { operation, what = "", isShared = false, prepare, path, act, typed, done } of actions) {
  test(
    `eleven minutes after signing in, a code from an email is enough for ${operation}${what}`,
    anyWidth,
    async ({ page, family, porchlight, postOffice, clock, signIn, anotherBrowser, consoleGuard }) => {
      for (const line of REFUSED) consoleGuard.expect(line);
      const others = await anotherBrowser();
      const situation = { page, family, others };
      if (isShared) {
        const ben = `ben-${family.child.id}@example.com`;
        await porchlight.command("guardian", "add", ben, "--name", "Ben");
        await porchlight.command("child", "link", String(family.child.id), "--guardian", ben);
        await signInByCommand(others.context(), porchlight, ben);
      }
      await signIn(family.email);
      await prepare?.(situation);
      await clock.advance(ELEVEN_MINUTES);
      await page.goto(path(family));
      const loads: string[] = [];
      page.on("request", (request) => {
        if (request.isNavigationRequest()) loads.push(request.url());
      });

      await act(situation);
      const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
      await dialog.getByRole("button", { name: "Send the code" }).click();
      await dialog.getByRole("textbox").fill("");
      await page.keyboard.type(await codeTo(postOffice, family.email));
      // The form precedes the dialog in the document.
      const field = main(page).getByRole("textbox").first();
      if (typed !== undefined) await expect(field).toHaveValue(typed);
      await page.keyboard.press("Enter");

      await expect(dialog).toBeHidden();
      await done(situation);
      expect(page.url()).not.toContain("?code");
      expect(loads, "pages that were loaded again").toEqual([]);
    },
  );
}
