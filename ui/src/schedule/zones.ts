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

/** The zones of which the name has this text, those first whose city begins with it. Accents don't count. */
export function zonesOf(zones: readonly string[], text: string): readonly string[] {
  const wanted = plainName(text);
  if (wanted === "") return zones;
  const found = zones.filter((zone) => plainName(zone).includes(wanted));
  const begins = (zone: string) => plainName(zone.split("/").at(-1) ?? "").startsWith(wanted);
  return [...found.filter(begins), ...found.filter((zone) => !begins(zone))];
}

function plainName(name: string): string {
  return name
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[_\s-]+/gu, " ")
    .trim()
    .toLowerCase();
}
