import { type I18n, i18n as pages } from "@lingui/core";

/** The language of the page or of these texts, in the device's variant if it has one ('en-GB'), for `Intl`. */
export function pageLocale(i18n: I18n = pages): string {
  const [locale = i18n.locale] = [i18n.locales ?? []].flat();
  return locale;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** A format of dates. Each is kept, because making one takes a phone milliseconds; others are made if the device's time zone changes. */
export function dateFormat(options: Intl.DateTimeFormatOptions, locale = pageLocale()): Intl.DateTimeFormat {
  const key = JSON.stringify([options, locale, new Date().getTimezoneOffset()]);
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, options);
    formats.set(key, format);
  }
  return format;
}
