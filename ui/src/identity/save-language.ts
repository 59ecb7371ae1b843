import { chooseLanguage } from "../api/catalogues";

/** Saves the guardian's choice of a language: on this device. Null is the browser's. */
export async function saveLanguage(language: string | null): Promise<void> {
  await chooseLanguage(language);
}
