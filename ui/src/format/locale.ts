import { i18n } from "@lingui/core";

/** The page's language, in the device's variant if it has one ('en-GB'), for `Intl`. */
export function pageLocale(): string {
  const [locale = i18n.locale] = [i18n.locales ?? []].flat();
  return locale;
}
