/**
 * Walks over the pages, dialogs and menus of the fake backend in the test languages, or in shipped ones, and says what is in
 * English, cut, or on the wrong side: `npm run -s languages:walk -- accented mirrored de fr es`. By default the two test
 * languages. `ONLY=TEXT` visits the addresses with this text; `PICTURES=FOLDER` takes pictures of what is found. `EMAILS=FOLDER`
 * looks at the emails, too, which the server's tests have written into the folder: `make languages`.
 */
import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { build, type Plugin, preview } from "vite";

import { type Found, look, type What } from "./look.ts";
import { type Visit, visits } from "./visits.ts";
import config from "../../playwright.config.ts";

const TEST_LANGUAGES = ["accented", "mirrored"];
const HEIGHT = 844;
const EMAIL_WIDTHS = [390, 1280];
/** Presses on one page. */
const MAX_PRESSES = 60;
/** The longest wait for what a press loads. */
const SETTLE_MS = 1500;
/** What is typed into an empty field, by its type. */
const TYPED: Record<string, string> = { email: "robin@example.com", number: "30", text: "Zebra" };

interface Flaw extends Found {
  language: string;
  width: number;
  page: string;
  /** What was pressed last. */
  after: string;
}

interface Tools {
  answers: string[];
  pending: number;
}

declare global {
  var walk: Tools | undefined;
}

/** Before the page's own code: counts its requests, and keeps their answers' texts. */
function prepare(): void {
  const tools: Tools = { answers: [], pending: 0 };
  globalThis.walk = tools;
  // The app's own worker would replace the fake backend's.
  const register = navigator.serviceWorker.register.bind(navigator.serviceWorker);
  navigator.serviceWorker.register = async (script, options) =>
    String(script).includes("mockServiceWorker") ? register(script, options) : new Promise(() => {});
  const collect = (value: unknown) => {
    if (typeof value === "string" && value.length > 1 && value.length < 3000 && !/^[a-z_]+$/u.test(value))
      tools.answers.push(...[value, ...value.split("\n")].map((text) => text.toLowerCase()));
    else if (typeof value === "object" && value !== null)
      for (const each of Object.values(value)) collect(each);
  };
  const { fetch } = globalThis;
  globalThis.fetch = async (...request) => {
    // A stream of events never ends.
    if (typeof request[0] === "string" && request[0].endsWith("/events")) return fetch(...request);
    tools.pending += 1;
    try {
      const response = await fetch(...request);
      // A part of a catalogue is JSON, too, and has each English sentence.
      const isAnswer = new URL(response.url).pathname.startsWith("/api/");
      if (isAnswer && response.headers.get("Content-Type")?.includes("json") === true)
        collect(
          await response
            .clone()
            .json()
            .catch(() => null),
        );
      return response;
    } finally {
      tools.pending -= 1;
    }
  };
}

/** What all walks found: each text once in a language. */
class Report {
  readonly flaws: Flaw[] = [];
  states = 0;
  /** The visits that ended with an error. */
  failed = 0;

  /** False if it is known already. */
  note(found: Flaw): boolean {
    const isKnown = this.flaws.some(
      ({ flaw, text, language }) => flaw === found.flaw && text === found.text && language === found.language,
    );
    if (isKnown) return false;
    this.flaws.push(found);
    const { flaw, text, language, width, where, page, after, by } = found;
    console.log(
      `${this.flaws.length}. ${language} ${flaw}${by > 0 ? ` by ${by} px` : ""} at ${width}: ${text}`,
    );
    console.log(`    ${where}, ${page}${after === "" ? "" : `, after ${after}`}`);
    return true;
  }

  countsOf(language: string): string {
    const own = Map.groupBy(
      this.flaws.filter((flaw) => flaw.language === language),
      ({ flaw }) => flaw,
    );
    return [...own].map(([flaw, some]) => `${some.length} ${flaw}`).join(", ") || "nothing found";
  }
}

class Walk {
  /** What is open, if another page of it can be opened without loading the app again. */
  #opened: Visit | null = null;
  readonly #page: Page;
  readonly #language: string;
  readonly #widths: readonly number[];
  readonly #checks: What["checks"];
  readonly #report: Report;
  /** What was pressed in the frame, which is on each page. */
  readonly #pressedInFrame = new Set<string>();

  constructor(page: Page, language: string, widths: readonly number[], report: Report) {
    this.#page = page;
    this.#report = report;
    this.#language = language;
    this.#widths = widths;
    this.#checks =
      language === "accented" ? ["english", "fit"] : language === "mirrored" ? ["fit", "mirrored"] : ["fit"];
  }

  async visit(visit: Visit): Promise<void> {
    await this.#open(visit);
    await this.#look(visit, "");
    if (visit.isPressed) await this.#pressAll(visit);
  }

  async #open(visit: Visit): Promise<void> {
    const { as, path, backend = {} } = visit;
    const page = this.#page;
    if (!visit.isPressed && visit.backend === undefined && as !== null && this.#opened?.as === as) {
      await page.evaluate((to) => {
        history.pushState(null, "", to);
        dispatchEvent(new PopStateEvent("popstate"));
      }, path);
      await this.#settle();
      return;
    }
    this.#opened = visit.isPressed || visit.backend !== undefined ? null : visit;
    await page.evaluate(
      ([email, changes, language, isTest]) => {
        localStorage.clear();
        sessionStorage.clear();
        if (email !== null) localStorage.setItem("fakeRefreshCookie", email);
        localStorage.setItem("fakeBackend", changes);
        localStorage.setItem(isTest ? "testLanguage" : "language", language);
      },
      [as, JSON.stringify(backend), this.#language, TEST_LANGUAGES.includes(this.#language)] as const,
    );
    // A page with the same address but for the fragment isn't loaded again.
    await page.goto("/favicon.svg");
    await page.goto(path);
    // Loading screens have their heading in a status.
    await page.locator("h1:not([role=status] h1)").first().waitFor({ state: "attached", timeout: 5000 });
    await this.#settle();
  }

  async #settle(): Promise<void> {
    await this.#page.evaluate(async (most) => {
      const start = performance.now();
      // oxlint-disable-next-line unicorn/consistent-function-scoping -- all of it is sent to the browser
      const frame = () => new Promise((painted) => requestAnimationFrame(painted));
      // A button is busy while its dialog is open.
      const isBusy = () =>
        ((globalThis.walk?.pending ?? 0) > 0 && performance.now() < start + most) ||
        (document.querySelector("[aria-busy=true]") !== null && performance.now() < start + most / 4);
      await frame();
      await frame();
      while (isBusy()) await frame();
      await new Promise((done) => setTimeout(done, 30));
      while (isBusy()) await frame();
      await frame();
    }, SETTLE_MS);
  }

  async #look(visit: Visit, after: string): Promise<void> {
    const page = this.#page;
    this.#report.states += 1;
    for (const width of this.#widths) {
      await page.setViewportSize({ width, height: HEIGHT });
      // What has arrived meanwhile is shown by now.
      const data = await page.evaluate(() => [...new Set(globalThis.walk?.answers)]);
      const what = {
        checks: this.#checks,
        data: [...data, ...Object.values(TYPED).map((text) => text.toLowerCase())],
      };
      const found = await page.evaluate(look, what);
      const opened = `${visit.as ?? "nobody"} ${visit.path.replace(/(?<=_).{43}/u, "…")}`;
      const isNew = found
        .map((each) => this.#report.note({ ...each, language: this.#language, width, page: opened, after }))
        .some((noted) => noted);
      if (isNew) await this.#takePicture(width);
    }
    const [first = 390] = this.#widths;
    await page.setViewportSize({ width: first, height: HEIGHT });
  }

  async #takePicture(width: number): Promise<void> {
    const folder = process.env["PICTURES"];
    if (folder === undefined) return;
    await mkdir(folder, { recursive: true });
    const name = `${this.#report.flaws.length}-${this.#language}-${width}.png`;
    await this.#page.screenshot({ path: join(folder, name) });
  }

  /** Presses each button once, on the page and in what opens. */
  async #pressAll(visit: Visit): Promise<void> {
    const page = this.#page;
    const pressed = new Set<string>();
    const start = new URL(page.url()).pathname;
    for (let count = 0; count < MAX_PRESSES; count += 1) {
      const known = [...pressed, ...this.#pressedInFrame];
      const next = await page.evaluate(press, { known, typed: TYPED });
      if (next === null) {
        // All in a dialog or a menu is pressed.
        const isOpen = await page.evaluate(
          () => document.querySelector("dialog[open], [data-popup]") !== null,
        );
        if (!isOpen) return;
        await page.keyboard.press("Escape");
        await this.#settle();
        if (await page.evaluate(() => document.querySelector("dialog[open], [data-popup]") !== null)) return;
        continue;
      }
      (next.isInFrame ? this.#pressedInFrame : pressed).add(next.key);
      await this.#settle();
      await this.#look(visit, next.key);
      if (
        new URL(page.url()).pathname !== start ||
        (await page.evaluate(() => document.querySelector("h1") === null))
      )
        await this.#open(visit);
    }
  }
}

/** Presses the first button that isn't known yet: in the topmost dialog or menu if there is one. Null if there is none. */
function press({ known, typed }: { known: readonly string[]; typed: Record<string, string> }) {
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  const scope = dialog ?? document.querySelector("[data-popup]") ?? document.body;
  const buttons = [
    ...scope.querySelectorAll<HTMLElement>(
      "summary, button, [role=menuitem], [role=menuitemradio], [role=tab], [role=switch], input[type=radio], input[type=checkbox]",
    ),
  ].filter(
    (each) =>
      (each instanceof HTMLInputElement || each.checkVisibility({ visibilityProperty: true })) &&
      !each.matches(":disabled") &&
      each.closest("[inert]") === null &&
      // It would open another language, or leave the app.
      each.closest("[lang]:not(html)") === null &&
      each.querySelector("[lang]") === null &&
      each.closest("a[href]") === null,
  );
  for (const each of buttons) {
    const name = each.getAttribute("aria-label") ?? each.textContent ?? "";
    const label =
      each instanceof HTMLInputElement ? `${each.type} ${each.value} ${each.name.replace(/:.*/u, "")}` : name;
    const plain = label
      .replace(/\u2068[^\u2069]*\u2069|\d+/gu, "")
      .trim()
      .slice(0, 80);
    const isSubmit = each instanceof HTMLButtonElement && each.type === "submit" && each.form !== null;
    const form = isSubmit ? each.form : null;
    const empty = [
      ...(form?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea") ?? []),
    ].filter((field) => field.value === "" && !["radio", "checkbox", "hidden", "file"].includes(field.type));
    const base = `${scope === document.body ? "" : "in it: "}${each.tagName.toLowerCase()} ${plain}`;
    const isEmptyKnown = known.includes(base);
    const key = isEmptyKnown && empty.length > 0 ? `${base} (filled in)` : base;
    if (known.includes(key)) continue;
    const isInFrame = each.closest("header, nav") !== null && each.closest("main") === null;
    if (isEmptyKnown) {
      for (const field of empty) {
        // React follows the setter of the element, and not that of its prototype.
        const setter = Object.getPrototypeOf(field);
        Reflect.set(setter, "value", typed[field.type] ?? typed["text"], field);
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }
    each.click();
    return { key, isInFrame };
  }
  return null;
}

/** In a build, the fake backend's file imports one that awaits it, so that neither would ever run. */
const withoutTopLevelAwait: Plugin = {
  name: "porchlight:without-top-level-await",
  enforce: "pre",
  transform: {
    filter: { id: /\/src\/main\.tsx$/u },
    handler: (code) => {
      const [imports, rest] = code.split(/^(?=const fake\b)/mu);
      if (rest === undefined) throw new Error("src/main.tsx has no line that begins with `const fake`.");
      return `${imports}void (async () => {${rest}})();`;
    },
  },
};

async function serve(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "porchlight-languages-"));
  const outDir = join(folder, "dist");
  await build({
    mode: "fake",
    logLevel: "error",
    build: { outDir, emptyOutDir: true, minify: false },
    plugins: [withoutTopLevelAwait],
  });
  const worker = createRequire(import.meta.url).resolve("msw/mockServiceWorker.js");
  await copyFile(worker, join(outDir, "mockServiceWorker.js"));
  const server = await preview({
    mode: "fake",
    logLevel: "error",
    build: { outDir },
    preview: { port: 0, host: "127.0.0.1" },
  });
  const url = server.resolvedUrls?.local[0] ?? "";
  return {
    url,
    stop: async () => {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openContext(
  browser: Awaited<ReturnType<typeof chromium.launch>>,
  url: string,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: url,
    locale: "en-US",
    timezoneId: "America/New_York",
    reducedMotion: "reduce",
    permissions: [],
  });
  await context.addInitScript(prepare);
  return context;
}

const asked = process.argv.slice(2).filter((each) => !each.startsWith("-"));
const only = process.env["ONLY"] ?? "";
const languages = asked.length > 0 ? asked : TEST_LANGUAGES;
const began = Date.now();
const { url, stop } = await serve();
const built = Date.now();
const browser = await chromium.launch(config.use?.launchOptions ?? {});
const report = new Report();

/** A part of the visits in one language; two run at a time. What fails to load is from left to right in each language. */
const parts = languages.flatMap((language) =>
  [0, 1].map((part) => ({
    language,
    visits: visits
      .filter(({ path, isPressed }) => path.includes(only) && (isPressed || language !== "mirrored"))
      .filter((_, index) => index % 2 === part),
  })),
);
/** Each kind of email that the server's tests list, in each language. */
async function lookAtEmails(folder: string): Promise<void> {
  const list = await readFile(new URL("../../../tests/snapshots/emails.txt", import.meta.url), "utf8");
  const page = await browser.newPage();
  for (const [, kind = ""] of list.matchAll(/^=== (.+)$/gmu))
    for (const language of languages) {
      await page.goto(pathToFileURL(join(folder, `${kind}.${language}.html`)).href);
      const isMirrored = language === "mirrored";
      if (isMirrored)
        await page.evaluate(() => {
          document.documentElement.dir = "rtl";
        });
      report.states += 1;
      for (const width of EMAIL_WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHT });
        // English words are found by the server's tests.
        const found = await page.evaluate(look, {
          checks: isMirrored ? ["fit", "mirrored"] : ["fit"],
          data: [],
        } satisfies What);
        for (const each of found) report.note({ ...each, language, width, page: `email ${kind}`, after: "" });
      }
    }
}

async function work(): Promise<void> {
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const { language } = part;
    const context = await openContext(browser, url);
    const page = await context.newPage();
    page.on("pageerror", (error) => console.error("error on the page:", error.message));
    const widths = TEST_LANGUAGES.includes(language) ? [390, 1280] : [320, 390, 1280];
    await page.setViewportSize({ width: widths[0] ?? 390, height: HEIGHT });
    await page.goto("/favicon.svg");
    const walk = new Walk(page, language, widths, report);
    for (const visit of part.visits) {
      await walk.visit(visit).catch((error: unknown) => {
        report.failed += 1;
        console.error(`${language} ${visit.as} ${visit.path}:`, error);
      });
    }
    await context.close();
  }
}
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
const emails = process.env["EMAILS"];
if (emails !== undefined) await lookAtEmails(emails);
await browser.close();
await stop();

for (const language of languages) console.log(`${language}: ${report.countsOf(language)}`);
const [toBuild, toWalk] = [built - began, Date.now() - built].map((ms) => Math.round(ms / 1000));
console.log(
  `${report.states} states, ${report.failed} visits failed; built in ${toBuild} s, walked in ${toWalk} s`,
);
process.exitCode = report.flaws.length + report.failed > 0 ? 1 : 0;
