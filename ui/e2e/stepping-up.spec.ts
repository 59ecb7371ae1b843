import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "@playwright/test";

import { canaries } from "./canaries";
import { testWithClock } from "./clock-fixture";
import { type Family, anyWidth, expect, signInByCommand } from "./fixtures";
import type { Porchlight } from "./porchlight";
import type { PostOffice } from "./post-office";
import { ScriptedModel } from "./scripted-model";
import { clockLibrary } from "./server-clock";

/** Signing in with a link counts as step-up for ten minutes. */
const ELEVEN_MINUTES = 11 * 60;

/** The console messages for a call that requires step-up, an expired token, and pages of a deleted child. */
const REFUSED = [
  /^error: Failed to load resource: the server responded with a status of (401|403|404)/u,
  /^error: RequestFailed: The server answered with status (403|404)/u,
];

const model = new ScriptedModel();

// Nobody listens there, so a test notification stays in the queue.
const test = testWithClock(async () => ["--ntfy", "http://127.0.0.1:9", ...(await model.open())]);

test.skip(clockLibrary === undefined, "libfaketime is missing. Run: apt-get install faketime");

interface Situation {
  page: Page;
  family: Family;
  /** Another guardian of the child, in another browser. */
  others: Page;
  porchlight: Porchlight;
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
const quotes = (page: Page) =>
  main(page).getByRole("checkbox", { name: "Include quotes and topics in my emails" });
const howLong = (page: Page) => page.getByRole("region", { name: "How long conversations are kept" });
const settings =
  (part: "ai-reader" | "assistants" | "people" | "profile") =>
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

const readerIs = (page: Page, name: string) =>
  expect(main(page).getByRole("heading", { level: 2, name, exact: true })).toBeVisible();

async function switchReaderOn(page: Page): Promise<void> {
  await main(page)
    .getByRole("button", { name: /^Switch it on/u })
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Switch on" }).click();
}

/** Connects an assistant, soon after signing in. */
async function connectAttic(page: Page, { isApp = false } = {}): Promise<void> {
  await page.goto("/");
  await page.getByRole("link", { name: "App Settings" }).click();
  await main(page)
    .getByRole("link", { name: /^Assistants/u })
    .click();
  await main(page).getByRole("button", { name: "Connect an assistant" }).click();
  await page.keyboard.type("Attic");
  if (isApp) await main(page).getByRole("radio", { name: "Any app with a base URL" }).check();
  await page.keyboard.press("Enter");
  await noteShown(page, /^ast_/u);
  await main(page).getByRole("button", { name: "I've saved the key" }).click();
}

const actions: readonly Action[] = [
  {
    operation: "connectAssistant",
    path: settings("assistants"),
    act: async ({ page }) => {
      await main(page).getByRole("button", { name: "Connect an assistant" }).click();
      await page.keyboard.type("Attic");
      await page.keyboard.press("Enter");
    },
    typed: "Attic",
    done: async ({ page }) => {
      await expect(main(page).getByRole("heading", { name: "The key of Attic" })).toBeVisible();
      await noteShown(page, /^ast_/u);
    },
  },
  {
    operation: "rotateAssistant",
    path: settings("assistants"),
    prepare: async ({ page }) => connectAttic(page),
    act: async ({ page }) => {
      await main(page).getByRole("button", { name: "Options for Attic" }).click();
      await page.getByRole("menuitem", { name: "Make a new key" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Make a new key" }).click();
    },
    done: async ({ page }) => {
      await expect(main(page).getByRole("heading", { name: "The key of Attic" })).toBeVisible();
      await noteShown(page, /^ast_/u);
    },
  },
  {
    operation: "chooseAssistantUpstream",
    path: settings("assistants"),
    prepare: async ({ page, family, porchlight }) => {
      // A new app uses the first by name.
      const { id } = family.child;
      await porchlight.command("upstream", "add", `away-${id}`, "--url", "http://127.0.0.1:9/v1");
      await porchlight.command("upstream", "add", `home-${id}`, "--url", "http://127.0.0.1:13/v1");
      await connectAttic(page, { isApp: true });
    },
    act: async ({ page, family }) => {
      await main(page).getByRole("button", { name: "Options for Attic" }).click();
      await page.getByRole("menuitem", { name: "Change the model's server" }).click();
      const server = page.getByRole("dialog", { name: "The model's server of Attic" });
      await server.getByRole("combobox").selectOption(`home-${family.child.id}`);
      await server.getByRole("button", { name: "Save" }).click();
    },
    done: async ({ page }) => {
      await expect(main(page).getByText("What is said goes to 127.0.0.1:13.")).toBeVisible();
    },
  },
  {
    operation: "inviteGuardian",
    path: settings("people"),
    act: async ({ page }) => {
      await main(page).getByRole("button", { name: "Invite another guardian" }).click();
      await main(page).getByRole("textbox", { name: "Their e-mail address" }).fill("granny@example.com");
      await page.keyboard.press("Enter");
    },
    typed: "granny@example.com",
    done: async ({ page }) => {
      await expect(main(page).getByText(/^The invitation is on its way to granny/u)).toBeVisible();
    },
  },
  {
    operation: "confirmInvitation",
    isShared: true,
    prepare: async ({ others, family }) => {
      await others.goto(settings("people")(family));
      await main(others).getByRole("button", { name: "Invite another guardian" }).click();
      await main(others).getByRole("textbox", { name: "Their e-mail address" }).fill("cleo@example.com");
      await others.keyboard.press("Enter");
      await expect(main(others).getByText(/^The invitation is on its way to cleo/u)).toBeVisible();
    },
    path: ({ child }) => `/child/${child.id}/summary`,
    act: async ({ page }) => waiting(page).getByRole("button", { name: "Confirm it" }).click(),
    done: async ({ page }) => expect(waiting(page)).toHaveCount(0),
  },
  {
    operation: "askForAddress",
    path: () => "/you",
    act: async ({ page }) => {
      await main(page).getByRole("button", { name: "Change your address" }).click();
      await page.keyboard.type("moved@example.com");
      await page.keyboard.press("Enter");
    },
    typed: "moved@example.com",
    done: async ({ page }) => {
      await expect(main(page).getByText(/^We sent an email to moved@example\.com\./u)).toBeVisible();
    },
  },
  {
    operation: "leaveChild",
    isShared: true,
    path: settings("profile"),
    act: async ({ page, family: { child } }) => {
      await main(page)
        .getByRole("button", { name: `Stop seeing ${child.name}'s data` })
        .click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: `Stop seeing ${child.name}'s data` })
        .click();
    },
    done: async ({ page }) => expect(page.getByRole("heading", { name: /welcome/iu })).toBeVisible(),
  },
  {
    operation: "requestChildDeletion",
    path: settings("profile"),
    act: async ({ page, family: { child } }) => {
      await main(page)
        .getByRole("button", { name: `Delete ${child.name}'s profile and conversations` })
        .click();
      await page.keyboard.type(child.name);
      await page.keyboard.press("Enter");
    },
    typed: "Mia",
    done: async ({ page }) => {
      await expect(waiting(page).getByText(/^You asked to delete/u)).toBeVisible();
    },
  },
  {
    operation: "confirmRequest",
    what: " of a deletion",
    isShared: true,
    prepare: async ({ others, family }) => {
      await others.goto(settings("profile")(family));
      await main(others)
        .getByRole("button", { name: `Delete ${family.child.name}'s profile and conversations` })
        .click();
      await others.keyboard.type(family.child.name);
      await others.keyboard.press("Enter");
      await expect(waiting(others)).toBeVisible();
    },
    path: ({ child }) => `/child/${child.id}/summary`,
    act: async ({ page }) => {
      await waiting(page)
        .getByRole("button", { name: /^Agree to delete/u })
        .click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /^Delete/u })
        .click();
    },
    done: async ({ page }) => expect(waiting(page)).toHaveCount(0),
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
    act: async ({ page }) =>
      waiting(page)
        .getByRole("button", { name: /^Agree to keep/u })
        .click(),
    done: async ({ page }) => expect(waiting(page)).toHaveCount(0),
  },
  {
    operation: "replaceSubscription",
    path: ({ child }) => `/child/${child.id}/subscription`,
    act: async ({ page }) => quotes(page).click(),
    done: async ({ page }) => {
      await expect(quotes(page)).toBeChecked();
      await expect(main(page).getByText("Saved.")).toBeVisible();
    },
  },
  {
    operation: "switchNotificationsOn",
    path: ({ child }) => `/child/${child.id}/subscription`,
    act: async ({ page }) => main(page).getByRole("button", { name: "Switch on notifications" }).click(),
    done: async ({ page }) => {
      await expect(main(page).getByRole("heading", { name: "Add Porchlight to the ntfy app" })).toBeVisible();
      canaries.note(
        (await main(page)
          .getByText(/^[0-9a-f]{32}$/u)
          .textContent()) ?? "no topic",
      );
    },
  },
  {
    operation: "eraseSession",
    prepare: async ({ page, family }) => {
      const session = await family.assistant.deliverMessage(family.child.id, "Sea", "How deep is it?");
      await page.goto(`/child/${family.child.id}/transcripts?session=${session}`);
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await expect(page.getByText("was deleted.")).toBeVisible();
    },
    path: ({ child }) => `/child/${child.id}/transcripts/deleted`,
    act: async ({ page }) => {
      await page.getByRole("button", { name: "Delete permanently: Sea" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }).click();
    },
    done: async ({ page }) => {
      await expect(page.getByText("Nothing was deleted lately.")).toBeVisible();
    },
  },
  {
    operation: "switchReviewerOn",
    prepare: async ({ porchlight }) => model.test(porchlight),
    path: settings("ai-reader"),
    act: async ({ page }) => switchReaderOn(page),
    done: async ({ page }) => readerIs(page, "On"),
  },
  {
    operation: "confirmReviewer",
    isShared: true,
    prepare: async ({ porchlight, others, family }) => {
      await model.test(porchlight);
      await others.goto(settings("ai-reader")(family));
      await switchReaderOn(others);
      await readerIs(others, "Waiting for every guardian");
    },
    path: settings("ai-reader"),
    act: async ({ page }) => {
      await main(page)
        .getByRole("button", { name: /^Agree to it/u })
        .click();
      await page.getByRole("dialog").getByRole("button", { name: "Agree" }).click();
    },
    done: async ({ page }) => readerIs(page, "On"),
  },
  {
    operation: "switchReviewerAtHome",
    path: settings("ai-reader"),
    act: async ({ page }) => {
      await main(page).getByRole("button", { name: "Ask for these alerts" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Ask for these alerts" }).click();
    },
    done: async ({ page }) => expect(main(page).getByText("You asked for these alerts.")).toBeVisible(),
  },
  {
    operation: "exportChild",
    path: ({ child }) => `/child/${child.id}/summary`,
    act: async ({ page }) => page.getByRole("button", { name: /^Download /u }).click(),
    done: async ({ page }) => expect(page.getByText("The file is in your downloads.")).toBeVisible(),
  },
  {
    operation: "makeRecoveryCodes",
    path: () => "/you",
    act: async ({ page }) => page.getByRole("button", { name: "Make my codes" }).click(),
    done: async ({ page }) => {
      const codes = page.getByRole("region", { name: "Recovery codes" }).getByRole("listitem");
      await expect(codes).toHaveCount(10);
      for (const code of await codes.allTextContents()) canaries.note(code);
    },
  },
  {
    operation: "beginPairing",
    path: () => "/you",
    act: async ({ page }) => page.getByRole("button", { name: "Show a QR code" }).click(),
    done: async ({ page }) => {
      const link = (await page.getByText(/\/pair#token=par_/u).textContent()) ?? "no link";
      canaries.note(link.split("#token=")[1] ?? "no token");
    },
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
      const situation = { page, family, others, porchlight };
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

test("every operation that requires step-up is tested", anyWidth, () => {
  const api = readFileSync(join(import.meta.dirname, "../../openapi.yaml"), "utf8");
  const required = api
    .split(/\n {4}(?:get|post|put|delete|patch):\n/u)
    .filter((operation) => /Requires\s+stepping\s+up/u.test(operation))
    .map((operation) => /operationId: (\w+)/u.exec(operation)?.[1]);

  const acted = actions.map(({ operation }) => operation);
  expect(new Set(required)).toEqual(new Set(acted));
});
