/**
 * The language of the page: one of the catalogues in `locales/`, which `src/api/catalogues.ts` loads. The browser's languages choose it, unless another one was chosen
 * on this device. `public/theme.js` does the same for the first paint.
 */
import { i18n, type MessageDescriptor, type Messages } from "@lingui/core";
import { useSyncExternalStore } from "react";

import { browserStorage } from "./browser-storage";

/** The key of the choice in the browser's storage. */
export const LANGUAGE_KEY = "language";
const SOURCE_LANGUAGE = "en";

/** A text, or the message that has it in the page's language. */
export type Words = string | MessageDescriptor;

/** The codes of the languages that a guardian can choose, by name. */
export const languages: readonly string[] = [...LANGUAGES].sort((one, other) =>
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
  const chosen = browserStorage.get(LANGUAGE_KEY);
  return chosen !== null && languages.includes(chosen) ? chosen : null;
}

/** Stores the choice of a language on this device; null for the browser's. */
export function storeChosenLanguage(language: string | null): void {
  if (language === null) browserStorage.remove(LANGUAGE_KEY);
  else browserStorage.set(LANGUAGE_KEY, language);
}

/** Shows the page in a language whose messages are loaded. */
export function showIn(language: string, messages: Messages): void {
  i18n.loadAndActivate({ locale: language, locales: variantOf(language), messages });
  document.documentElement.lang = language;
}

export function inPagesLanguage(words: Words): string {
  return typeof words === "string" ? words : i18n._(words);
}

function subscribe(listener: () => void): () => void {
  return i18n.on("change", listener);
}

/** The language in which the page should be. */
export function wantedLanguage(): string {
  return chosenLanguage() ?? browsersLanguage();
}

/** The first of the browser's languages that has a catalogue. */
export function browsersLanguage(): string {
  const known = navigator.languages.map(baseOf).find((language) => languages.includes(language));
  return known ?? SOURCE_LANGUAGE;
}

/** The browser's variant of a language, such as 'en-GB', for dates and numbers. */
export function variantOf(language: string): string {
  return navigator.languages.find((variant) => baseOf(variant) === language) ?? language;
}

function baseOf(tag: string): string {
  return tag.toLowerCase().split("-")[0] ?? tag;
}
