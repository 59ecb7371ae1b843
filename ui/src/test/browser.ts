import { setupWorker } from "msw/browser";

import { FakeBackend } from "./fake-backend";
import { accentIntl, inTestLanguage, isTestLanguage, testLanguages } from "./test-languages";
import { showIn } from "../ui/language";

const COOKIE = "fakeRefreshCookie";
const LINKS = "fakeLinks";
const CHANGES = "fakeBackend";

/**
 * Starts the fake backend in a service worker. It prints sign-in links to the console. `localStorage.fakeBackend` changes its
 * state, and that of the guardian's `family`: `{"stepUp": {"steppedUp": false}}`.
 */
export async function startFakeBackend(): Promise<void> {
  const backend = new FakeBackend();
  backend.signedInAs = localStorage.getItem(COOKIE);
  backend.providerName = "Example ID";
  backend.onCookie = (email) => {
    if (email === null) localStorage.removeItem(COOKIE);
    else localStorage.setItem(COOKIE, email);
  };
  // A link opens in a new tab, so the links are stored.
  const sent: [string, string][] = JSON.parse(localStorage.getItem(LINKS) ?? "[]");
  for (const [token, email] of sent) backend.links.set(token, email);
  backend.onEmail = (email, link) => {
    localStorage.setItem(LINKS, JSON.stringify([...backend.links]));
    // oxlint-disable-next-line no-console -- replaces sending the e-mail
    console.info(`An email to ${email}: ${new URL(link, location.origin).href}`);
  };
  const { family, ...changes } = JSON.parse(localStorage.getItem(CHANGES) ?? "{}");
  change(backend, changes);
  if (backend.signedInAs !== null) change(backend.family(backend.signedInAs), family ?? {});
  letTheMoonSessionGrow(backend);
  await setupWorker(...backend.handlers).start({ quiet: true, onUnhandledFrame: "bypass" });
}

/** Replaces these fields. Of an object, only those that are named; a list is replaced as a whole. */
function change(target: object, changes: object): void {
  for (const [name, value] of Object.entries(changes)) {
    const before: unknown = Reflect.get(target, name);
    const isPartial = typeof before === "object" && before !== null && !Array.isArray(before);
    if (isPartial && typeof value === "object" && value !== null) change(before, value);
    else Reflect.set(target, name, value);
  }
}

/** Shows the page in a test language if `localStorage.testLanguage` has its name. */
export async function openTestLanguage(): Promise<void> {
  const name = localStorage.getItem("testLanguage");
  if (!isTestLanguage(name)) return;
  const { code, direction } = testLanguages[name];
  const { messages } = await import("../../locales/en.po");
  if (name === "accented") accentIntl();
  showIn(code, inTestLanguage(name, messages));
  document.documentElement.dir = direction;
}

/** Simulates a live session: a message every six seconds. */
function letTheMoonSessionGrow(backend: FakeBackend): void {
  setInterval(() => {
    if (backend.signedInAs === null) return;
    const session = backend.family(backend.signedInAs).sessions.find(({ ended }) => !ended);
    session?.messages.push({
      message_id: crypto.randomUUID(),
      source: session.messages.length % 2 === 0 ? "assistant" : "child",
      text_content: "And here is something that was said just now.",
      timestamp: new Date().toISOString(),
    });
  }, 6000);
}
