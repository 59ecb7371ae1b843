/**
 * The language of the page: one of the catalogues in `locales/`. The browser's languages choose it, unless another one was chosen
 * on this device. `public/theme.js` does the same for the first paint.
 */
import { i18n, type MessageDescriptor, type Messages } from "@lingui/core";
import { useSyncExternalStore } from "react";

import { browserStorage } from "./browser-storage";
import { FIRST_PARTS, PROBLEM_PARTS, fetchPart } from "./catalogues";

const KEY = "language";
const SOURCE_LANGUAGE = "en";

/** A text, or the message that has it in the page's language. */
export type Words = string | MessageDescriptor;

/** The codes of the languages that a guardian can choose, by name. */
export const languages: readonly string[] = [...LANGUAGES].sort((one, other) =>
  languageName(one).localeCompare(languageName(other)),
);

/** What is loaded of each language. */
const catalogues = new Map<string, Messages>();

/** The requests of parts, by language and part. */
const requests = new Map<string, Promise<void>>();

/** The parts of the code that is loaded. */
const needed = new Set(namesIn(FIRST_PARTS));

/** The language in which the page opens; null until something of it is loaded. */
let firstLanguage: string | null = null;

/** The name of a language in that language: 'Deutsch'. */
export function languageName(language: string): string {
  const name = new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/** The page's language. */
export function useLanguage(): string {
  return useSyncExternalStore(subscribe, () => i18n.locale);
}

/** The language that was chosen on this device; null if the browser's languages choose. */
export function chosenLanguage(): string | null {
  const chosen = browserStorage.get(KEY);
  return chosen !== null && languages.includes(chosen) ? chosen : null;
}

/** Chooses the language on this device; null for the browser's. */
export async function chooseLanguage(language: string | null): Promise<void> {
  if (language === null) browserStorage.remove(KEY);
  else browserStorage.set(KEY, language);
  // A newer version of the app has other files.
  await openLanguage().catch(() => location.reload());
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

/** Shows the page in a language whose messages are loaded. */
export function showIn(language: string, messages: Messages): void {
  i18n.loadAndActivate({ locale: language, locales: variantOf(language), messages });
  document.documentElement.lang = language;
}

export function inPagesLanguage(words: Words): string {
  return typeof words === "string" ? words : i18n._(words);
}

/** Applies a choice from other tabs. Returns a function that unsubscribes. */
export function followLanguageOfOtherTabs(): () => void {
  addEventListener("storage", openChoiceOfOtherTab);
  return () => removeEventListener("storage", openChoiceOfOtherTab);
}

function openChoiceOfOtherTab({ key }: StorageEvent): void {
  // The key is null when the whole storage was cleared. Without a connection the page stays as it is.
  if (key === KEY || key === null) void openLanguage().catch(() => {});
}

function subscribe(listener: () => void): () => void {
  return i18n.on("change", listener);
}

function wantedLanguage(): string {
  return chosenLanguage() ?? browsersLanguage();
}

/** The first of the browser's languages that has a catalogue. */
function browsersLanguage(): string {
  const known = navigator.languages.map(baseOf).find((language) => languages.includes(language));
  return known ?? SOURCE_LANGUAGE;
}

/** The browser's variant of a language, such as 'en-GB', for dates and numbers. */
function variantOf(language: string): string {
  return navigator.languages.find((variant) => baseOf(variant) === language) ?? language;
}

function baseOf(tag: string): string {
  return tag.toLowerCase().split("-")[0] ?? tag;
}
