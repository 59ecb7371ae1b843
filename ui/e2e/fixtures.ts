import { randomUUID } from "node:crypto";

import { AxeBuilder } from "@axe-core/playwright";
import { type BrowserContext, type ConsoleMessage, type Page, test as base, expect } from "@playwright/test";

import { Assistant } from "./assistant";
import { canaries } from "./canaries";
import { Porchlight } from "./porchlight";
import { PostOffice } from "./post-office";
import { ACCESSIBLE, axeCode, violationTexts } from "../src/test/axe-core";

/** A guardian with one child and its assistant. */
export interface Family {
  email: string;
  child: { id: number; name: string };
  assistant: Assistant;
}

/** Marks a test that doesn't depend on the width: it runs once, on the desktop. */
export const anyWidth = { tag: "@any-width" };

/** Marks a test that is hardest on a narrow screen, or is about a phone: it runs once, on the phone. */
export const narrow = { tag: "@narrow" };

/** The console message of a page that registers its service worker, unless a test allows it. */
export const WORKER_BLOCKED = /Service Worker registration blocked by Playwright/u;

/** Fails a test at unexpected console messages and requests to other origins. */
export class ConsoleGuard {
  readonly #expected: RegExp[] = [WORKER_BLOCKED];
  readonly #unexpected: string[] = [];

  /** Allows messages, for instance about requests that fail on purpose. */
  expect(line: RegExp): void {
    this.#expected.push(line);
  }

  watch(page: Page, origin: string): void {
    // Violations of the content security policy are console errors, so they are included.
    page.on("console", (message: ConsoleMessage) => {
      const { url } = message.location();
      // The browser's remarks about the identity provider's own pages.
      if (message.type() === "info" && !url.startsWith(`${origin}/`)) return;
      this.#note(`${message.type()}: ${message.text()} (${url})`);
    });
    page.on("pageerror", (error) => this.#note(`uncaught: ${error.message}`));
    page.on("request", (request) => {
      if (!request.url().startsWith(`${origin}/`)) this.#note(`request to another origin: ${request.url()}`);
    });
  }

  verify(): void {
    // In the first line, which a truncated CI log keeps.
    const lines = this.#unexpected.map((line) => line.split("\n", 1)[0]);
    expect(this.#unexpected, `unexpected on the console: ${lines.join(" | ")}`).toEqual([]);
  }

  #note(line: string): void {
    if (!this.#expected.some((expected) => expected.test(line))) this.#unexpected.push(line);
  }
}

interface Fixtures {
  /** Fails if a server logged, at trace level, private data that this test sent. */
  noLeaks: void;
  consoleGuard: ConsoleGuard;
  family: Family;
  /** Opens a page in another browser context, at the server's origin or the given one. */
  anotherBrowser: (origin?: string) => Promise<Page>;
  /** Adds another child. Returns its id. */
  addChild: (name: string) => Promise<number>;
  /** Signs a guardian in without opening a page. */
  signIn: (email: string) => Promise<void>;
  /** Signs the family's guardian in and opens a section of their child, or the start page. */
  signInAt: (section?: string) => Promise<void>;
  /** Runs axe in the light theme. `src/ui/colours.test.ts` checks the contrasts of both themes. */
  checkAccessibility: (other?: Page) => Promise<void>;
}

interface WorkerFixtures {
  /** Like `noLeaks`, for what servers log when they stop. */
  noLeaksAtEnd: void;
  postOffice: PostOffice;
  porchlight: Porchlight;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  noLeaksAtEnd: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      await use();
      expectNoLeaks();
    },
    { scope: "worker", auto: true },
  ],

  noLeaks: [
    async ({ context }, use) => {
      canaries.watch(context);
      await use();
      expectNoLeaks();
    },
    { auto: true },
  ],

  postOffice: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      const postOffice = new PostOffice();
      await use(postOffice);
      await postOffice.close();
    },
    { scope: "worker" },
  ],

  porchlight: [
    async ({ postOffice }, use) => {
      const porchlight = await Porchlight.start(await postOffice.open());
      await use(porchlight);
      await porchlight.stop();
    },
    { scope: "worker" },
  ],

  baseURL: async ({ porchlight }, use) => {
    await use(porchlight.url);
  },

  consoleGuard: [
    async ({ context, baseURL }, use) => {
      const guard = new ConsoleGuard();
      context.on("page", (page) => guard.watch(page, baseURL ?? ""));
      await use(guard);
      guard.verify();
    },
    { auto: true },
  ],

  anotherBrowser: async ({ browser, porchlight, consoleGuard }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (origin = porchlight.url) => {
      const context = await browser.newContext({ baseURL: origin });
      opened.push(context);
      canaries.watch(context);
      context.on("page", (page) => consoleGuard.watch(page, origin));
      return context.newPage();
    });
    for (const context of opened) await context.close();
  },

  family: async ({ porchlight }, use) => {
    const email = `parent-${randomUUID()}@example.com`;
    const name = "Mia";
    await porchlight.command("guardian", "add", email, "--name", "Robin Keller");
    const childId = numberIn(await porchlight.command("child", "add", name, "--guardian", email), "child_id");
    const added = await porchlight.command(
      "assistant",
      "add",
      `Buddy of ${email}`,
      "--child",
      String(childId),
    );
    await use({
      email,
      child: { id: childId, name },
      assistant: new Assistant(porchlight.url, textIn(added, "key")),
    });
  },

  addChild: async ({ porchlight, family }, use) => {
    await use(async (name) =>
      numberIn(await porchlight.command("child", "add", name, "--guardian", family.email), "child_id"),
    );
  },

  signIn: async ({ context, porchlight }, use) => {
    await use(async (email) => signInByCommand(context, porchlight, email));
  },

  signInAt: async ({ page, family, signIn }, use) => {
    await use(async (section) => {
      await signIn(family.email);
      await page.goto(section === undefined ? "/" : `/child/${family.child.id}/${section}`);
    });
  },

  checkAccessibility: async ({ page: own }, use) => {
    await use(async (page = own) => {
      // AxeBuilder evaluates axe's large source twice in each run. Here each document gets the minified source once.
      if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeCode);
      // What depends on the layout follows it: whether an area scrolls makes it a tab stop.
      await page.evaluate(
        () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
      );
      const axe = new AxeBuilder({ page, axeSource: ";" })
        .options({ runOnly: { type: "tag", values: ACCESSIBLE }, resultTypes: ["violations"] })
        // Otherwise axe opens another page each time, for frames, which the app doesn't use.
        .setLegacyMode();
      const { violations } = await axe.analyze();
      expect(violationTexts(violations), "what axe found").toEqual([]);
    });
  },
});

function expectNoLeaks(): void {
  expect(canaries.leaks(), "private texts in a server's log").toEqual([]);
}

/** Signs a guardian in by a single request, with a link from `porchlight sign-in-link`. */
export async function signInByCommand(
  context: BrowserContext,
  porchlight: Porchlight,
  email: string,
  origin = porchlight.url,
): Promise<void> {
  const token = /#token=(\S+)/u.exec(await porchlight.print("sign-in-link", email))?.[1];
  const answer = await context.request.post(`${origin}/api/auth/sign-in`, {
    data: { email, token },
    headers: { Origin: origin },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  canaries.note(await answer.json());
  canaries.noteSecretsIn(answer.headers()["set-cookie"] ?? "");
}

function fieldOf(printed: unknown, name: string): unknown {
  return typeof printed === "object" && printed !== null ? Reflect.get(printed, name) : undefined;
}

function numberIn(printed: unknown, name: string): number {
  const value = fieldOf(printed, name);
  if (typeof value !== "number")
    throw new Error(`There is no number "${name}" in ${JSON.stringify(printed)}`);
  return value;
}

export function textIn(printed: unknown, name: string): string {
  const value = fieldOf(printed, name);
  if (typeof value !== "string") throw new Error(`There is no text "${name}" in ${JSON.stringify(printed)}`);
  return value;
}

export { expect };
