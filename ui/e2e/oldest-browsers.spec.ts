import type { BrowserContext } from "@playwright/test";

import { anyWidth, expect, test } from "./fixtures";
import { CACHE_CLEARED } from "./network-gate";
import { linkIn } from "./post-office";

/** APIs that Chrome 109, Firefox 115 or Safari 16.4 lacks. */
const NEWER = {
  AbortSignal: ["any"],
  Array: ["fromAsync"],
  "Array.prototype": ["toSorted", "toReversed", "toSpliced", "with"],
  CSS: ["highlights"],
  "Document.prototype": ["startViewTransition", "caretPositionFromPoint"],
  "Element.prototype": ["checkVisibility", "moveBefore", "setHTMLUnsafe"],
  "HTMLDialogElement.prototype": ["requestClose"],
  "HTMLElement.prototype": ["showPopover", "hidePopover", "togglePopover", "popover"],
  Map: ["groupBy"],
  "Navigator.prototype": ["userActivation", "scheduling", "userAgentData"],
  Object: ["groupBy"],
  Promise: ["withResolvers", "try"],
  ReadableStream: ["from"],
  Response: ["json"],
  "Set.prototype": ["union", "intersection", "difference", "isSubsetOf", "isSupersetOf", "isDisjointFrom"],
  "String.prototype": ["isWellFormed", "toWellFormed"],
  URL: ["canParse", "parse"],
  window: ["CloseWatcher", "Iterator", "Highlight", "navigation", "requestIdleCallback", "scheduler"],
} as const;

async function takeAway(context: BrowserContext): Promise<void> {
  await context.addInitScript((newer) => {
    for (const [path, names] of Object.entries(newer)) {
      let owner: unknown = window;
      for (const step of path === "window" ? [] : path.split(".")) owner = Reflect.get(Object(owner), step);
      for (const name of names) if (owner !== undefined) Reflect.deleteProperty(Object(owner), name);
    }
  }, NEWER);
}

test(
  "a browser without APIs newer than Chrome 109, Firefox 115 and Safari 16.4 shows every page",
  anyWidth,
  async ({ page, context, family, postOffice, consoleGuard }) => {
    consoleGuard.expect(CACHE_CLEARED);
    await takeAway(context);
    const { assistant, child } = family;
    await assistant.deliverMessage(child.id, "Kites", "Why do kites fly?");
    await page.goto("/login");
    expect(await page.evaluate(() => "any" in AbortSignal || "toSorted" in Array.prototype)).toBe(false);
    await page.getByRole("textbox", { name: "Email" }).fill(family.email);
    await page.keyboard.press("Enter");
    await page.goto(linkIn(await postOffice.emailTo(family.email)));
    await expect(page.getByRole("heading", { name: "Summary for Mia" })).toBeVisible();

    // The event stream works.
    await assistant.report(child.id, { headline: "Mia asks why." });
    await expect(
      page.getByRole("region", { name: "Summary as JSON" }).getByText("Mia asks why."),
    ).toBeVisible();

    await page.getByRole("link", { name: "Activities" }).click();
    await expect(page.getByRole("heading", { name: /^Activities/u })).toBeVisible();
    await page.getByRole("link", { name: "Metrics" }).click();
    await expect(page.getByRole("heading", { name: "Metrics Page" })).toBeVisible();
    await page.getByRole("link", { name: "Transcripts" }).click();
    await page.getByRole("link", { name: /^Kites/u }).click();
    await expect(page.getByText("Why do kites fly?")).toBeVisible();
    await page.getByRole("link", { name: "Context" }).click();
    await expect(page.getByRole("textbox", { name: "What should the assistant know?" })).toBeVisible();
    await page.getByRole("link", { name: "Topic Block List" }).click();
    await page.getByRole("textbox", { name: "A topic of your own" }).fill("Volcanoes");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Remove Volcanoes" })).toBeVisible();
    await page.getByRole("link", { name: "App Settings" }).click();
    await page
      .getByRole("main")
      .getByRole("link", { name: /^Assistants/u })
      .click();
    await expect(page.getByRole("main").getByText("Buddy of").first()).toBeVisible();
    await page.goto("/you");
    await expect(page.getByText("This device", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
    await expect(page).toHaveURL("/login");
  },
);

test(
  "a browser that blocks storage and broadcast channels can sign in and shows a warning",
  anyWidth,
  async ({ page, context, signInAt }) => {
    await context.addInitScript(() => {
      const message = "The operation is insecure.";
      const refuse = () => {
        throw new DOMException(message, "SecurityError");
      };
      for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, { get: refuse });
      Object.defineProperty(window, "BroadcastChannel", { value: refuse });
      Object.defineProperty(Intl, "supportedValuesOf", { value: refuse });
    });
    await page.goto("/login");
    await expect(page.getByText(/^This browser blocks cookies or storage/u)).toBeVisible();

    await signInAt("settings/times");

    await expect(page.getByRole("heading", { name: "Times" })).toBeVisible();
    await expect(page.getByRole("combobox", { name: "Time zone" })).not.toHaveValue("");
  },
);
