import { i18n } from "@lingui/core";
import { afterEach, expect, test, vi } from "vitest";

import { cities, cityNames } from "./cities";
import { byCity, cityOf, zonesOf, zonesWith } from "./zones";
import { knownZone, viewersZone } from "../format/dates";

afterEach(() => vi.restoreAllMocks());

test("a browser's unknown time zone is neither offered nor chosen", () => {
  vi.spyOn(Intl, "supportedValuesOf").mockReturnValue(["Europe/Berlin", "Etc/Unknown"]);
  const resolved = new Intl.DateTimeFormat().resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockReturnValue({
    ...resolved,
    timeZone: "Etc/Unknown",
  });

  expect(zonesWith("Etc/Unknown")).toEqual(["Europe/Berlin"]);
  expect(zonesWith("UTC")).toEqual(["Europe/Berlin", "UTC"]);
  expect(viewersZone()).toBe("UTC");
});

test.each([
  ["new york", ["America/New_York"]],
  ["São Paulo", ["America/Sao_Paulo"]],
  ["  BERLIN ", ["Europe/Berlin"]],
  ["port au", ["America/Port-au-Prince"]],
  ["york", ["America/New_York"]],
  ["be", ["America/Sao_Paulo", "Europe/Berlin", "America/Port_of_Bermuda"]],
  ["Atlantis", []],
])("a search for the city %j finds %j", (text, found) => {
  const zones = [
    "America/New_York",
    "America/Port-au-Prince",
    "America/Port_of_Bermuda",
    "America/Sao_Paulo",
    "Europe/Berlin",
  ];
  expect(zonesOf(zones, text)).toEqual(found);
  expect(zonesOf(zones, " ")).toEqual(zones);
});

test.each([
  ["Munich", "Europe/Berlin"],
  ["munchen", "Europe/Berlin"],
  ["Hamburg", "Europe/Berlin"],
  ["Boston", "America/New_York"],
  ["seattle", "America/Los_Angeles"],
  ["San Fran", "America/Los_Angeles"],
  ["St Louis", "America/Chicago"],
  ["Lyon", "Europe/Paris"],
  ["Barcelona", "Europe/Madrid"],
  ["Manchester", "Europe/London"],
  ["geneve", "Europe/Zurich"],
  ["Mailand", "Europe/Rome"],
  ["Wien", "Europe/Vienna"],
  ["Lisbonne", "Europe/Lisbon"],
  ["nueva york", "America/New_York"],
])("a search for the large city %j finds %j first", (text, zone) => {
  expect(zonesOf(zonesWith("UTC"), text)[0]).toBe(zone);
});

test("a city that is in several zones finds each", () => {
  expect(zonesOf(zonesWith("UTC"), "Valencia")).toEqual(["America/Caracas", "Europe/Madrid"]);
});

test("each zone with cities exists", () => {
  const resolved = new Set(zonesWith("UTC"));

  expect(
    Object.keys(cities).filter(
      (zone) => zonesOf([...resolved], cities[zone]?.split(", ")[0] ?? "").length === 0,
    ),
  ).toEqual([]);
});

test("each name of a city is in a zone of this or another browser", () => {
  const named = Object.values(cityNames).flatMap((names) => Object.keys(names));

  expect(named.filter((zone) => knownZone(zone) === knownZone("Mars/Olympus"))).toEqual([]);
});

test.each([
  ["en", ["Rome", "Vienna", "New York", "Kolkata"]],
  ["de", ["Rom", "Wien", "New York", "Kalkutta"]],
  ["fr", ["Rome", "Vienne", "New York", "Calcutta"]],
  ["es", ["Roma", "Viena", "Nueva York", "Calcuta"]],
  ["it", ["Rome", "Vienna", "New York", "Kolkata"]],
])("in %s the cities are %j", (language, names) => {
  i18n.loadAndActivate({ locale: language, messages: {} });

  expect(["Europe/Rome", "Europe/Vienna", "America/New_York", "Asia/Calcutta"].map(cityOf)).toEqual(names);
});

test("zones are sorted by the cities' names", () => {
  i18n.loadAndActivate({ locale: "de", messages: {} });

  const sorted = byCity(["Etc/UTC", "Europe/Vienna", "America/Argentina/Buenos_Aires", "Asia/Tokyo"]);
  expect(sorted.map(cityOf)).toEqual(["Buenos Aires", "Tokio", "UTC", "Wien"]);
});
