import { expect, test } from "vitest";

import { activityDate, relativeDay, sameDay, sessionDate } from "./dates";

test.each([
  ["2026-11-21T00:00:00Z", "Nov 21, 2026"],
  ["2026-11-21T23:59:59.999999Z", "Nov 21, 2026"],
  ["2026-01-02T03:04:05+14:00", "Jan 1, 2026"],
  ["2024-02-29T12:00:00Z", "Feb 29, 2024"],
  ["", "Invalid Date"],
  ["yesterday", "Invalid Date"],
  [null, "Invalid Date"],
  [undefined, "Invalid Date"],
])("an activity of %s is dated %s wherever the viewer is", (value, shown) => {
  expect(activityDate(value)).toBe(shown);
});

test.each([
  ["", "Unknown date"],
  ["yesterday", "Unknown date"],
  [null, "Unknown date"],
  [undefined, "Unknown date"],
])("a session of %s has an %s", (value, shown) => {
  expect(sessionDate(value)).toBe(shown);
});

test("a session's date is the viewer's own", () => {
  const noon = new Date(2026, 10, 21, 12);

  expect(sessionDate(noon.toISOString())).toBe(noon.toLocaleDateString());
});

test("two times around midnight are on different days", () => {
  const before = new Date(2026, 10, 21, 23, 59).toISOString();
  const after = new Date(2026, 10, 22, 0, 1).toISOString();

  expect(sameDay(before, after)).toBe(false);
  expect(sameDay(before, before)).toBe(true);
});

test.each([
  [new Date(2026, 2, 1, 0, 0), "Today"],
  [new Date(2026, 2, 1, 23, 59), "Today"],
  [new Date(2026, 1, 28, 23, 59), "Yesterday"],
  [new Date(2026, 1, 27, 23, 59), ""],
  [new Date(2026, 2, 2, 0, 0), ""],
])("on the viewer's March 1 at 8, %s is called %j", (moment, word) => {
  expect(relativeDay(moment.toISOString(), new Date(2026, 2, 1, 8))).toBe(word);
});

test("an invalid time is on no named day", () => {
  expect(relativeDay("", new Date())).toBe("");
});
