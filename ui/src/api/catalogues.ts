/** Loads the messages of the page's language. A build splits each catalogue into parts (`vite/message-parts.ts`); elsewhere the first is all. */
import { i18n, type Messages } from "@lingui/core";

import { withDeadline } from "./deadline";
import { browserStorage } from "../ui/browser-storage";
import {
  LANGUAGE_KEY,
  chosenLanguage,
  languages,
  showIn,
  storeChosenLanguage,
  wantedLanguage,
} from "../ui/language";

const DEADLINE_MS = 30_000;

/** The key in the browser's storage of a choice that is the account's. */
const ADOPTED_KEY = "language-of-account";

/** The names of the parts with the initial code's messages, separated by spaces. A build replaces this string. */
const FIRST_PARTS = "messages:first";

/** The error sentences' part. A build replaces this string, too. */
const PROBLEM_PARTS = "messages:problems";

/** What is loaded of each language. */
const catalogues = new Map<string, Messages>();

/** The requests of parts, by language and part. */
const requests = new Map<string, Promise<void>>();

/** The parts of the code that is loaded. */
const needed = new Set(namesIn(FIRST_PARTS));

/** The language in which the page opens; null until something of it is loaded. */
let firstLanguage: string | null = null;

/** Chooses the language on this device; null for the browser's. */
export async function chooseLanguage(language: string | null): Promise<void> {
  storeChosenLanguage(language);
  browserStorage.remove(ADOPTED_KEY);
  // A newer version of the app has other files.
  await openLanguage().catch(() => location.reload());
}

/** Chooses the language of the guardian's account until they sign out, unless one was chosen on this device. */
export function adoptLanguage(language: string): void {
  // A test language stays.
  if (chosenLanguage() !== null || language === i18n.locale || !languages.includes(i18n.locale)) return;
  void chooseLanguage(language);
  browserStorage.set(ADOPTED_KEY, language);
}

/** Shows who signs in next on this device the browser's language, unless one was chosen here. */
export function forgetAdoptedLanguage(): void {
  if (browserStorage.get(ADOPTED_KEY) !== null) void chooseLanguage(null);
}

/** Applies a choice from other tabs. Returns a function that unsubscribes. */
export function followLanguageOfOtherTabs(): () => void {
  addEventListener("storage", openChoiceOfOtherTab);
  return () => removeEventListener("storage", openChoiceOfOtherTab);
}

function openChoiceOfOtherTab({ key }: StorageEvent): void {
  // The key is null when the whole storage was cleared. Without a connection the page stays as it is.
  if (key === LANGUAGE_KEY || key === null) void openLanguage().catch(() => {});
}

/** Loads what the page needs of its language, and shows the page in it. */
export async function openLanguage(): Promise<void> {
  const language = wantedLanguage();
  if (i18n.locale === "") {
    firstLanguage = language;
    // Code that is loaded meanwhile waits for its own parts.
    await loadParts(language, [...needed]);
  } else await loadNeeded(language);
  showIn(language, catalogueOf(language));
}

/** The messages of the code that is loaded, in a language that may be another one than the page's. */
export async function messagesOf(language: string): Promise<Messages> {
  await loadNeeded(language);
  return catalogueOf(language);
}

/** Waits for code, and for the parts with its messages. A build puts this around each dynamic import. */
export async function withMessages<Module>(names: string, module: Promise<Module>): Promise<Module> {
  const [loaded] = await Promise.all([module, need(names)]);
  return loaded;
}

/** Loads the sentences of the server's errors. Without them the page says less about an error. */
export async function loadProblemSentences(): Promise<void> {
  await need(PROBLEM_PARTS).catch(() => {});
}

async function need(names: string): Promise<void> {
  const parts = namesIn(names);
  for (const part of parts) needed.add(part);
  firstLanguage ??= wantedLanguage();
  await loadParts(i18n.locale === "" ? firstLanguage : i18n.locale, parts);
}

async function loadNeeded(language: string): Promise<void> {
  const parts = [...needed];
  await loadParts(language, parts);
  // Other code has been loaded meanwhile, with its parts in the former language.
  if (needed.size > parts.length) await loadNeeded(language);
}

async function loadParts(language: string, parts: readonly string[]): Promise<void> {
  // A test language has all its messages.
  if (!languages.includes(language)) return;
  await Promise.all(parts.map(async (part) => loadPart(language, part)));
}

function loadPart(language: string, part: string): Promise<void> {
  const key = `${language} ${part}`;
  const request =
    requests.get(key) ??
    fetchPart(language, part).then(
      // The object that `i18n` has, so that no event renders each sentence again.
      (messages) => void Object.assign(catalogueOf(language), messages),
      (error: unknown) => {
        requests.delete(key);
        throw error;
      },
    );
  requests.set(key, request);
  return request;
}

function catalogueOf(language: string): Messages {
  const catalogue = catalogues.get(language) ?? {};
  catalogues.set(language, catalogue);
  return catalogue;
}

function namesIn(names: string): string[] {
  return names.split(" ").filter((name) => name !== "");
}

async function fetchPart(language: string, part: string): Promise<Messages> {
  if (!import.meta.env.PROD) {
    if (part !== FIRST_PARTS) return {};
    const catalogue: { messages: Messages } = await import(`../../locales/${language}.po`);
    return catalogue.messages;
  }
  return withDeadline(DEADLINE_MS, null, async (signal) => {
    const response = await fetch(`/assets/language-${language}-${part}.json`, { signal });
    // For instance, because a newer version of the app has other files.
    if (!response.ok) throw new Error(`The server answered with status ${response.status}.`);
    const messages: Messages = await response.json();
    return messages;
  }).catch((cause: unknown) => {
    throw new TypeError("Failed to fetch the messages.", { cause });
  });
}
