import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type BrowserContext, chromium, type Page } from "@playwright/test";

import { anyWidth, expect, signInByCommand, test as base } from "./fixtures";
import { Porchlight } from "./porchlight";
import { WorkerGate } from "./worker-gate";
import { allSections } from "../src/test/section-facts";

const AT_HOME = "Porchlight is at home. Join your Wi-Fi.";

/** The console messages of a browser whose server is away. */
const AWAY = /net::ERR_|can't be reached|Failed to (?:fetch|update|load)|404/u;

/** The headless shell can't install an app or show a notification, and neither can a context without a profile. */
const BROWSER = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

interface Fixtures {
  gate: WorkerGate;
  open: () => Promise<Page>;
  /** A whole browser with a profile; the test is skipped where there is none. */
  wholeBrowser: BrowserContext;
}

const test = base.extend<Fixtures, { behind: [WorkerGate, Porchlight] }>({
  serviceWorkers: "allow",

  behind: [
    async ({ postOffice }, use) => {
      const gate = await WorkerGate.open();
      const server = await Porchlight.start(await postOffice.open(), { publicUrl: gate.url });
      gate.leadTo(server.url);
      await use([gate, server]);
      gate.close();
      await server.stop();
    },
    { scope: "worker" },
  ],

  gate: async ({ behind: [gate] }, use) => {
    gate.isSecond = false;
    gate.isAway = false;
    await use(gate);
  },

  porchlight: [
    async ({ behind: [, server] }, use) => {
      await use(server);
    },
    { scope: "worker" },
  ],

  baseURL: async ({ behind: [gate] }, use) => {
    await use(gate.url);
  },

  wholeBrowser: async ({ baseURL }, use) => {
    test.skip(!existsSync(BROWSER), `${BROWSER} is not there`);
    const profile = await mkdtemp(join(tmpdir(), "porchlight-profile-"));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: BROWSER,
      args: ["--no-sandbox", "--headless=new"],
      serviceWorkers: "allow",
      ...(baseURL !== undefined && { baseURL }),
    });
    await use(context);
    await context.close();
    await rm(profile, { recursive: true, force: true });
  },

  /** Opens Mia's summary in a further tab. */
  open: async ({ context, family }, use) => {
    await use(async () => {
      const tab = await context.newPage();
      await tab.goto(`/child/${family.child.id}/summary`);
      return tab;
    });
  },
});

/** Signs in, and waits until the worker has kept the files. */
async function install(context: BrowserContext, gate: WorkerGate, porchlight: Porchlight, email: string) {
  await signInByCommand(context, porchlight, email, gate.url);
  const page = await context.newPage();
  await page.goto(gate.url);
  await expect(page.getByRole("heading", { name: "Summary for Mia" })).toBeVisible();
  await page.evaluate(async () => navigator.serviceWorker.ready);
  await page.close();
}

/** The paths of what is kept, and the texts of which are those of the API. */
async function kept(page: Page): Promise<{ paths: string[]; names: string[] }> {
  return page.evaluate(async () => {
    const names = await caches.keys();
    const paths: string[] = [];
    for (const name of names) {
      const requests = await (await caches.open(name)).keys();
      paths.push(...requests.map(({ url }) => new URL(url).pathname));
    }
    return { names, paths };
  });
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name });
const isSecond = async (page: Page) => (await page.locator('meta[name="version"]').count()) === 1;

/** Makes the browser look for a newer version, and waits until it waits. */
async function loadSecond(page: Page, gate: WorkerGate) {
  gate.isSecond = true;
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting?.state))
    .toBe("installed");
}

test(
  "after a walk over every page, what is kept are the program's own files",
  anyWidth,
  async ({ context, gate, porchlight, family, open }) => {
    await family.assistant.deliverMessage(family.child.id, "Bees", "Do bees sleep at night?");
    await install(context, gate, porchlight, family.email);
    const page = await open();
    for (const { label, heading: name } of allSections) {
      await page.getByRole("link", { name: label, exact: true }).click();
      await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
    }
    await page.goto("/you");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

    const { names, paths } = await kept(page);

    const listed = /"files":(\[[^\]]*\])/u.exec(await (await fetch(`${gate.url}/worker.js`)).text())?.[1];
    const files: unknown = JSON.parse(listed ?? "");
    expect(names).toHaveLength(1);
    expect(new Set(paths)).toEqual(new Set(["/", ...(Array.isArray(files) ? files : [])]));
    const hasWords = await page.evaluate(async () => {
      const all = await Promise.all((await caches.keys()).map(async (name) => caches.open(name)));
      const found = await Promise.all(all.map(async (cache) => cache.matchAll()));
      const texts = await Promise.all(found.flat().map(async (response) => response.text()));
      return texts.some((text) => text.includes("Do bees sleep") || text.includes("parent-"));
    });
    expect(hasWords).toBe(false);
  },
);

test(
  "without the server the app says where it is, and opens once it is back",
  anyWidth,
  async ({ context, gate, porchlight, family, open, consoleGuard }) => {
    consoleGuard.expect(AWAY);
    await install(context, gate, porchlight, family.email);
    gate.isAway = true;

    const page = await open();
    await expect(heading(page, AT_HOME)).toBeVisible();
    gate.isAway = false;

    await expect(heading(page, "Summary for Mia")).toBeVisible();
  },
);

/** Types a text that isn't saved. */
async function typeOn(page: Page): Promise<Page> {
  await page.getByRole("link", { name: "Context", exact: true }).click();
  await page.getByRole("textbox").first().fill("She is afraid of dogs.");
  return page;
}

test(
  "an update in the middle of typing loses nothing, and the next opening has it",
  anyWidth,
  async ({ context, gate, porchlight, family, open, consoleGuard }) => {
    consoleGuard.expect(AWAY);
    await install(context, gate, porchlight, family.email);
    const page = await typeOn(await open());

    await loadSecond(page, gate);

    await expect(page.getByRole("textbox").first()).toHaveValue("She is afraid of dogs.");
    expect(await isSecond(page)).toBe(false);
    await page.close();
    const next = await open();
    await expect(heading(next, "Summary for Mia")).toBeVisible();
    expect(await isSecond(next)).toBe(true);
  },
);

test(
  "a waiting version takes over at a reload of the only tab, and not beside another",
  anyWidth,
  async ({ context, gate, porchlight, family, open, consoleGuard }) => {
    consoleGuard.expect(AWAY);
    await install(context, gate, porchlight, family.email);
    const page = await open();
    await expect(heading(page, "Summary for Mia")).toBeVisible();
    await loadSecond(page, gate);

    const other = await open();
    await expect(heading(other, "Summary for Mia")).toBeVisible();
    expect(await isSecond(other)).toBe(false);
    await other.close();

    // A closed tab may count as open for a moment.
    await expect(async () => {
      await page.reload();
      await expect.poll(() => isSecond(page), { timeout: 5000 }).toBe(true);
    }).toPass();
    await expect(heading(page, "Summary for Mia")).toBeVisible();
  },
);

test(
  "a tab of the former version goes on beside a newer worker, with what was typed",
  anyWidth,
  async ({ context, gate, porchlight, family, open, consoleGuard }) => {
    consoleGuard.expect(AWAY);
    await install(context, gate, porchlight, family.email);
    const page = await typeOn(await open());
    await loadSecond(page, gate);

    await page.evaluate(async () => {
      const changed = new Promise((resolve) =>
        navigator.serviceWorker.addEventListener("controllerchange", resolve),
      );
      (await navigator.serviceWorker.ready).waiting?.postMessage("take over");
      await changed;
    });

    await expect(page.getByRole("textbox").first()).toHaveValue("She is afraid of dogs.");
    expect(await isSecond(page)).toBe(false);
    const before = gate.asked.length;
    // Its code may be in memory, so it is loaded anew.
    const status = await page.evaluate(async () => {
      const [former] = await caches.keys();
      const first = (await (await caches.open(former ?? "")).keys()).find(({ url }) =>
        /assets\/.*\.js$/u.test(url),
      );
      return (await fetch(first?.url ?? "/nothing")).status;
    });
    expect(status).toBe(200);
    expect(gate.asked.slice(before).filter((path) => path.startsWith("/assets/"))).toEqual([]);
    await page.getByRole("link", { name: "Subscription", exact: true }).click();
    await expect(heading(page, "Subscription")).toBeVisible();
  },
);

test(
  "if the browser has removed the files, they are loaded from the server and kept again",
  anyWidth,
  async ({ context, gate, porchlight, family, open }) => {
    await install(context, gate, porchlight, family.email);
    const page = await open();
    await page.evaluate(async () => {
      for (const name of await caches.keys()) await caches.delete(name);
    });

    await page.reload();

    await expect(heading(page, "Summary for Mia")).toBeVisible();
    await expect.poll(async () => (await kept(page)).paths.includes("/")).toBe(true);
    const session = await context.newCDPSession(page);
    await session.send("Storage.clearDataForOrigin", {
      origin: gate.url,
      storageTypes: "cache_storage,service_workers",
    });
    await page.reload();
    await expect(heading(page, "Summary for Mia")).toBeVisible();
  },
);

test(
  "a push message is shown without a name, and signing out closes it",
  anyWidth,
  async ({ wholeBrowser: context, gate, porchlight, family }) => {
    await context.grantPermissions(["notifications"], { origin: gate.url });
    await install(context, gate, porchlight, family.email);
    const page = await context.newPage();
    await page.goto(`/child/${family.child.id}/summary`);
    const session = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        const own = registrations.find(({ scopeURL }) => scopeURL === `${gate.url}/`);
        if (own !== undefined) resolve(own.registrationId);
      });
    });
    await session.send("ServiceWorker.enable");
    const shown = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration();
        return ((await registration?.getNotifications()) ?? []).map(({ title, body }) => [title, body]);
      });

    const registrationId = await registered;
    // On a busy machine, Chromium sometimes shows nothing of the first one. Those with the same words are shown once.
    await expect(async () => {
      await session.send("ServiceWorker.deliverPushMessage", {
        origin: gate.url,
        registrationId,
        data: "Please open Porchlight now.",
      });
      await expect.poll(shown, { timeout: 3000 }).toEqual([["Porchlight", "Please open Porchlight now."]]);
    }).toPass();
    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
    await expect.poll(shown).toEqual([]);
  },
);

test("the app can be installed", anyWidth, async ({ wholeBrowser, gate }) => {
  const page = await wholeBrowser.newPage();
  const session = await wholeBrowser.newCDPSession(page);
  await page.goto("about:blank");
  expect((await session.send("Page.getInstallabilityErrors")).installabilityErrors).not.toEqual([]);

  await page.goto(gate.url);
  await page.evaluate(async () => navigator.serviceWorker.ready);

  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  const { errors } = await session.send("Page.getAppManifest");
  expect(installabilityErrors).toEqual([]);
  expect(errors).toEqual([]);
});
