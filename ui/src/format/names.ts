import type { I18n } from "@lingui/core";

import { pageLocale } from "./locale";

/** "Mia, Noah and Tom". */
export function joinNames(names: readonly string[], i18n?: I18n): string {
  return new Intl.ListFormat(pageLocale(i18n), { type: "conjunction" }).format(names);
}

/** "Mia, Noah or Tom". */
export function oneOfNames(names: readonly string[], i18n?: I18n): string {
  return new Intl.ListFormat(pageLocale(i18n), { type: "disjunction" }).format(names);
}
