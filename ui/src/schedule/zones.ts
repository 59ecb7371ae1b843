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
