/**
 * The language of the page: one of the catalogues in `locales/`. The browser's languages choose it, unless another one was chosen
 * on this device. `public/theme.js` does the same for the first paint.
 */
import { i18n, type MessageDescriptor, type Messages } from "@lingui/core";
import { useSyncExternalStore } from "react";

import { browserStorage } from "./browser-storage";

const KEY = "language";
const SOURCE_LANGUAGE = "en";

/** A text, or the message that has it in the page's language. */
export type Words = string | MessageDescriptor;

type LoadCatalogue = () => Promise<{ messages: Messages }>;

const catalogues = new Map<string, LoadCatalogue>(
  Object.entries(import.meta.glob<{ messages: Messages }>("../../locales/*.po")).map(([path, load]) => [
    path.replace(/^.*\/|\.po$/gu, ""),
    load,
  ]),
);

/** The codes of the languages that a guardian can choose, by name. */
export const languages: readonly string[] = [...catalogues.keys()].sort((one, other) =>
  languageName(one).localeCompare(languageName(other)),
);

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
  return chosen !== null && catalogues.has(chosen) ? chosen : null;
}

/** Chooses the language on this device; null for the browser's. */
export async function chooseLanguage(language: string | null): Promise<void> {
  if (language === null) browserStorage.remove(KEY);
  else browserStorage.set(KEY, language);
  // A newer version of the app has other files.
  await openLanguage().catch(() => location.reload());
}

/** Chooses the language of the guardian's account, unless one was chosen on this device. */
export function adoptLanguage(language: string): void {
  if (chosenLanguage() === null && language !== i18n.locale) void chooseLanguage(language);
}

/** Loads the catalogue of the page's language, and shows the page in it. */
export async function openLanguage(): Promise<void> {
  const language = chosenLanguage() ?? browsersLanguage();
  const load = catalogues.get(language);
  if (load === undefined) throw new Error(`There is no catalogue of ${language}.`);
  showIn(language, (await load()).messages);
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

/** The first of the browser's languages that has a catalogue. */
export function browsersLanguage(): string {
  const known = navigator.languages.map(baseOf).find((language) => catalogues.has(language));
  return known ?? SOURCE_LANGUAGE;
}

/** The browser's variant of a language, such as 'en-GB', for dates and numbers. */
function variantOf(language: string): string {
  return navigator.languages.find((variant) => baseOf(variant) === language) ?? language;
}

function baseOf(tag: string): string {
  return tag.toLowerCase().split("-")[0] ?? tag;
}
