import { afterEach, expect, test, vi } from "vitest";

import { zonesOf, zonesWith } from "./zones";
import { viewersZone } from "../format/dates";

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
  ["be", ["Europe/Berlin", "America/Port_of_Bermuda"]],
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
