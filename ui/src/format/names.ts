import { pageLocale } from "./locale";

/** "Mia, Noah and Tom". */
export function joinNames(names: readonly string[]): string {
  return new Intl.ListFormat(pageLocale(), { type: "conjunction" }).format(names);
}

/** "Mia, Noah or Tom". */
export function oneOfNames(names: readonly string[]): string {
  return new Intl.ListFormat(pageLocale(), { type: "disjunction" }).format(names);
}
