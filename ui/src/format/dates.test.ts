import { expect, test } from "vitest";

import {
  atRelativeTime,
  activityDate,
  clockTime,
  dayAndTime,
  hourName,
  isUtc,
  knownZone,
  relativeDay,
  sameDay,
  sessionDate,
  weekdayAndTime,
  shortDate,
  shortDateAndTime,
  shortTime,
  timeAndZone,
  timeIn,
  viewersZone,
  zoneName,
} from "./dates";

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

test("a session's date is in the viewer's time zone", () => {
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
  [new Date(2026, 2, 2, 0, 0), "Tomorrow"],
  [new Date(2026, 2, 2, 23, 59), "Tomorrow"],
  [new Date(2026, 2, 3, 0, 0), ""],
])("on the viewer's March 1 at 8, %s is called %j", (moment, word) => {
  expect(relativeDay(moment.toISOString(), new Date(2026, 2, 1, 8))).toBe(word);
});

test.each([
  [new Date(2026, 2, 1, 18, 15).toISOString(), "Today 6:15 PM"],
  [new Date(2026, 1, 28, 18, 15).toISOString(), "Yesterday 6:15 PM"],
  [new Date(2026, 1, 27, 18, 15).toISOString(), "Fri 6:15 PM"],
  ["", ""],
])("under the heading of its day, %j is %j on March 1", (moment, words) => {
  const spaces = /\s/gu;
  expect(weekdayAndTime(moment, new Date(2026, 2, 1, 8)).replaceAll(spaces, " ")).toBe(words);
});

test.each([
  [new Date(2026, 2, 2, 18, 15), "tomorrow 6:15 PM"],
  [new Date(2026, 2, 1, 18, 15), "today 6:15 PM"],
  [new Date(2026, 1, 3, 18, 15), "on Feb 3, 6:15 PM"],
])("in a sentence of March 1, %s is written as %j", (moment, words) => {
  expect(plain(atRelativeTime(moment.toISOString(), new Date(2026, 2, 1, 8)))).toBe(words);
});

test("an invalid time has no relative day", () => {
  expect(relativeDay("", new Date())).toBe("");
});

/** Replaces the narrow spaces that some ICU versions use. */
function plain(text: string): string {
  return text.replaceAll("\u202F", " ");
}

const evening = new Date(2026, 10, 19, 18, 12).toISOString();

test.each([
  [new Date(2026, 10, 19, 23), "6:12 PM", "Nov 19", "Nov 19, 6:12 PM"],
  [new Date(2026, 10, 20, 0), "Nov 19, 6:12 PM", "Nov 19", "Nov 19, 6:12 PM"],
  [new Date(2027, 0, 1), "Nov 19, 2026, 6:12 PM", "Nov 19, 2026", "Nov 19, 2026, 6:12 PM"],
])("on %s the evening of Nov 19, 2026 is short", (now, time, date, dateAndTime) => {
  expect(plain(shortTime(evening, now))).toBe(time);
  expect(shortDate(evening, now)).toBe(date);
  expect(plain(shortDateAndTime(evening, now))).toBe(dateAndTime);
});

test("but for a session's date, every format writes the day in the same way", () => {
  const earlier = new Date(2027, 0, 1);

  expect(activityDate("2026-11-19")).toBe("Nov 19, 2026");
  for (const words of [dayAndTime(evening, earlier), timeIn(viewersZone(), evening, earlier)])
    expect(words).toContain("Nov 19, 2026");
  expect(plain(dayAndTime(evening, new Date(2026, 10, 20)))).toBe("Thu, Nov 19, 6:12 PM");
});

test("an invalid time has no short format", () => {
  for (const words of [shortDate, shortDateAndTime, shortTime]) expect(words("soon", new Date())).toBe("");
});

test.each([
  ["20:30", "8:30 PM"],
  ["00:00", "12:00 AM"],
])("the clock's %s is %s", (value, words) => {
  expect(plain(clockTime(value))).toBe(words);
});

test.each([
  ["Europe/Berlin", "2026-11-23T22:59:00Z", "11:59 PM"],
  ["Europe/Berlin", "2026-11-23T23:00:00Z", "Tue, Nov 24, 12:00 AM"],
  ["America/New_York", "2026-11-23T23:00:00Z", "6:00 PM"],
  ["Europe/Berlin", "soon", ""],
])("in %s %s is %s", (zone, value, words) => {
  expect(plain(timeIn(zone, value, new Date("2026-11-23T12:00:00Z")))).toBe(words);
});

test.each([
  ["2026-01-02T12:00:00Z", false],
  ["2025-11-20T12:00:00Z", true],
  ["2027-11-20T12:00:00Z", true],
])("a time of another year, %s, includes the year: %s", (value, isSaid) => {
  const now = new Date("2026-11-23T12:00:00Z");
  const said = [dayAndTime(value, now), timeIn("Europe/Berlin", value, now), shortDate(value, now)];

  expect(said.map((words) => words.includes(value.slice(0, 4)))).toEqual([isSaid, isSaid, isSaid]);
});

test("a zone that the browser doesn't know is replaced by the viewer's", () => {
  expect(knownZone("Mars/Olympus")).toBe(viewersZone());
  expect(knownZone("Asia/Tokyo")).toBe("Asia/Tokyo");
});

test.each([
  ["Europe/Berlin", "Central European Time"],
  ["Etc/UTC", "UTC"],
  ["UTC", "UTC"],
  ["America/New_York", "Eastern Time"],
  ["Mars/Olympus", "Mars/Olympus"],
])("the zone %s is called %s", (zone, name) => {
  expect(zoneName(zone)).toBe(name);
});

test("a time has its zone's name unless the viewer's has the same", () => {
  const [value, now] = ["2026-11-23T22:59:00Z", new Date("2026-11-23T12:00:00Z")];

  expect(plain(timeAndZone("Europe/Berlin", value, now))).toBe("11:59 PM (Central European Time)");
  expect(timeAndZone(viewersZone(), value, now)).toBe(timeIn(viewersZone(), value, now));
  expect(timeAndZone("Mars/Olympus", value, now)).toBe(timeIn(viewersZone(), value, now));
});

test.each([
  ["UTC", true],
  ["Etc/UTC", true],
  ["Etc/GMT", true],
  ["GMT0", true],
  ["Etc/GMT+0", true],
  ["Etc/GMT+1", false],
  ["Europe/London", false],
  ["Atlantic/Reykjavik", false],
])("%s is UTC: %s", (zone, expected) => {
  expect(isUtc(zone)).toBe(expected);
});

test.each([
  [0, "12 AM"],
  [11, "11 AM"],
  [12, "12 PM"],
  [23, "11 PM"],
])("hour %i is %s", (hour, name) => {
  expect(hourName(hour)).toBe(name);
});
