/** "Mia, Noah and Tom". */
export function joinNames(names: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(names);
}
