import { i18n } from "@lingui/core";

import { cities, cityNames } from "./cities";
import { isUtc, zoneName } from "../format/dates";
import { pageLocale } from "../format/locale";

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

/** The city of a zone in the page's language, else in English; the zone's name if it has none. */
export function cityOf(zone: string): string {
  if (isUtc(zone)) return "UTC";
  const [area, ...places] = zone.split("/");
  const place = places.at(-1);
  if (area === "Etc" || place === undefined) return zoneName(zone);
  return (
    (cityNames[i18n.locale] ?? cityNames["en"])?.[zone] ??
    cityNames["en"]?.[zone] ??
    place.replaceAll("_", " ")
  );
}

/** The zones by their cities' names. */
export function byCity(zones: readonly string[]): string[] {
  const { compare } = new Intl.Collator(pageLocale());
  return [...zones].sort((one, other) => compare(cityOf(one), cityOf(other)));
}

/**
 * The zones of which the name has this text, or that have a city whose name begins with it; those first whose city begins with it.
 * Accents don't count.
 */
export function zonesOf(zones: readonly string[], text: string): readonly string[] {
  const wanted = plainName(text);
  if (wanted === "") return zones;
  const begins = (name: string) => plainName(name).startsWith(wanted);
  const names = [cities, ...Object.values(cityNames)].flatMap((named) => Object.entries(named));
  const ofCity = new Set(
    names.filter(([, cityList]) => cityList.split(", ").some(begins)).map(([zone]) => knownName(zone, zones)),
  );
  const isFirst = (zone: string) =>
    ofCity.has(zone) || begins(cityOf(zone)) || begins(zone.split("/").at(-1) ?? "");
  const found = zones.filter((zone) => isFirst(zone) || plainName(zone).includes(wanted));
  return [...found.filter(isFirst), ...found.filter((zone) => !isFirst(zone))];
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
