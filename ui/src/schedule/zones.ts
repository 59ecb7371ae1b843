/** Some browsers lack `supportedValuesOf`, and some privacy modes make it throw. */
function knownZones(): string[] {
  try {
    return Intl.supportedValuesOf("timeZone");
  } catch {
    return [];
  }
}

/** The browser's zones and the present one, which the browser may have under another name. A browser's `Etc/Unknown` is none. */
export function zonesWith(present: string): string[] {
  return [...new Set([...knownZones(), present])].filter((zone) => zone !== "Etc/Unknown").sort();
}

/** By zone: large cities in it, separated by commas. */
export type Cities = Readonly<Record<string, string>>;

/**
 * The zones of which the name has this text, or that have a city whose name begins with it; those first whose city begins with it.
 * Accents don't count.
 */
export function zonesOf(zones: readonly string[], text: string, cities: Cities = {}): readonly string[] {
  const wanted = plainName(text);
  if (wanted === "") return zones;
  const ofCity = new Set(
    Object.entries(cities)
      .filter(([, names]) => names.split(", ").some((name) => plainName(name).startsWith(wanted)))
      .map(([zone]) => knownName(zone, zones)),
  );
  const begins = (zone: string) =>
    ofCity.has(zone) || plainName(zone.split("/").at(-1) ?? "").startsWith(wanted);
  const found = zones.filter((zone) => ofCity.has(zone) || plainName(zone).includes(wanted));
  return [...found.filter(begins), ...found.filter((zone) => !begins(zone))];
}

/** The name that this browser has for a zone, such as `Asia/Calcutta`. */
function knownName(zone: string, zones: readonly string[]): string {
  return zones.includes(zone)
    ? zone
    : new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
}

function plainName(name: string): string {
  return name
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[_\s.-]+/gu, " ")
    .trim()
    .toLowerCase();
}
