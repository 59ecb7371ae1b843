import { chooseLanguage } from "../api/catalogues";
import { replaceLanguage } from "../api/generated/client/identity/identity";
import type { components } from "../api/generated/schema";
import { browsersLanguage } from "../ui/language";

type Language = components["schemas"]["Language"];

/** The languages of the server's e-mails. */
const WRITTEN: Record<Language, true> = { de: true, en: true, es: true, fr: true };

/** Saves the guardian's choice of a language: for emails to them, and on this device. Null is the browser's. */
export async function saveLanguage(language: string | null): Promise<void> {
  const ofEmails = language ?? browsersLanguage();
  if (isWritten(ofEmails)) await replaceLanguage({ language: ofEmails });
  await chooseLanguage(language);
}

function isWritten(language: string): language is Language {
  return language in WRITTEN;
}
