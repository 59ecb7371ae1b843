import { expect, test } from "vitest";

import { endOfPause, presentPause } from "./pause";

const noon = new Date("2026-11-23T12:00:00Z");

test("a pause for an hour ends after an hour, and an indefinite one does not end", () => {
  expect(endOfPause("an hour", "Europe/Berlin", noon)).toBe("2026-11-23T13:00:00.000Z");
  expect(endOfPause("until resumed", "Europe/Berlin", noon)).toBeUndefined();
});

test.each([
  ["in winter", "Europe/Berlin", "2026-11-23T12:00:00Z", "2026-11-24T06:00:00.000Z"],
  ["at the end of a year", "Europe/Berlin", "2026-12-31T12:00:00Z", "2027-01-01T06:00:00.000Z"],
  ["where it is tomorrow already", "Pacific/Kiritimati", "2026-11-23T12:00:00Z", "2026-11-24T17:00:00.000Z"],
  ["where it is still yesterday", "Pacific/Pago_Pago", "2026-11-23T09:00:00Z", "2026-11-23T18:00:00.000Z"],
  ["in a zone of half hours", "Asia/Kolkata", "2026-11-23T12:00:00Z", "2026-11-24T01:30:00.000Z"],
  ["before the clock goes forward", "Europe/Berlin", "2026-03-28T20:00:00Z", "2026-03-29T05:00:00.000Z"],
  ["before the clock goes back", "Europe/Berlin", "2026-10-24T20:00:00Z", "2026-10-25T06:00:00.000Z"],
  ["west of Greenwich", "America/New_York", "2026-03-07T22:00:00Z", "2026-03-08T11:00:00.000Z"],
  ["just after midnight there", "Europe/Berlin", "2026-11-22T23:01:00Z", "2026-11-24T06:00:00.000Z"],
])("tomorrow at 7 is in the child's time zone: %s", (_what, zone, now, expected) => {
  expect(endOfPause("until tomorrow", zone, new Date(now))).toBe(expected);
});

test("in a zone that the browser doesn't know, tomorrow at 7 is in the parent's time zone", () => {
  const until = new Date(endOfPause("until tomorrow", "Mars/Olympus", noon) ?? "");

  expect([until.getHours(), until.getMinutes()]).toEqual([7, 0]);
});

test.each([
  ["none", undefined, null],
  ["without an end", {}, {}],
  ["that ends later", { until: "2026-11-23T12:00:01Z" }, { until: "2026-11-23T12:00:01Z" }],
  ["that ends now", { until: "2026-11-23T12:00:00Z" }, null],
  ["that has ended", { until: "2026-11-23T11:00:00Z" }, null],
])("the present pause, of one %s", (_what, pause, expected) => {
  const times = { time_zone: "Europe/Berlin", quiet_hours: [], ...(pause !== undefined && { pause }) };

  expect(presentPause(times, noon)).toEqual(expected);
});
