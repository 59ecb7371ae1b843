import { expect, test } from "vitest";

import { addDays, mondayOf, weekdayOf } from "./days";

test.each([
  ["2026-11-23", 0, "2026-11-23"],
  ["2026-11-23", -1, "2026-11-22"],
  ["2026-12-31", 1, "2027-01-01"],
  ["2028-02-28", 1, "2028-02-29"],
  ["2026-03-28", 2, "2026-03-30"],
])("%s and %i days are %s", (day, days, expected) => {
  expect(addDays(day, days)).toBe(expected);
});

test.each([
  ["2026-11-23", 0, "2026-11-23"],
  ["2026-11-22", 6, "2026-11-16"],
  ["2026-01-01", 3, "2025-12-29"],
])("%s is weekday %i of the week of %s", (day, weekday, monday) => {
  expect(weekdayOf(day)).toBe(weekday);
  expect(mondayOf(day)).toBe(monday);
});
