import { type I18n, i18n as pages } from "@lingui/core";

/** The language of the page or of these texts, in the device's variant if it has one ('en-GB'), for `Intl`. */
export function pageLocale(i18n: I18n = pages): string {
  const [locale = i18n.locale] = [i18n.locales ?? []].flat();
  return locale;
}
