import { expect, test, vi } from "vitest";

import { addDays, dayRange, mondayOf, monthAndDay, shortDay, weekdayOf } from "./days";

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

const NOW = new Date("2026-11-27T12:00:00Z");

test.each([
  ["2026-11-26", "Nov 26", "November 26"],
  ["2026-12-10", "Dec 10", "December 10"],
  ["2027-01-02", "Jan 2, 2027", "January 2, 2027"],
])("%s is %s, or %s", (day, short, long) => {
  expect(shortDay(day, NOW)).toBe(short);
  expect(monthAndDay(day, NOW)).toBe(long);
});

test.each([
  ["2026-11-01", "2026-11-09", "Nov 1–9"],
  ["2026-10-30", "2026-11-09", "Oct 30–Nov 9"],
  ["2026-11-09", "2026-11-09", "Nov 9"],
  ["2025-12-30", "2026-01-02", "Dec 30, 2025–Jan 2, 2026"],
])("from %s to %s is %s", (from, to, expected) => {
  expect(dayRange(from, to, NOW)).toBe(expected);
});

test("days are written by one format, because making one takes long", () => {
  const first = shortDay("1999-11-01", NOW);
  const made = vi.spyOn(Intl, "DateTimeFormat");

  expect([first, shortDay("1999-11-02", NOW)]).toEqual(["Nov 1, 1999", "Nov 2, 1999"]);

  expect(made).not.toHaveBeenCalled();
});
