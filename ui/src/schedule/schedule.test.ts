import { expect, test } from "vitest";

import {
  type Day,
  type QuietHours,
  type Times,
  type TimesChange,
  daysInWords,
  minutesIn,
  passesMidnight,
  refusalOf,
  sameHours,
  timesInOneLine,
  week,
  withChanges,
} from "./schedule";

function hours(days: readonly Day[], from: string, to: string): QuietHours {
  return { days: [...days], from, to };
}

const night = hours(week, "20:30", "07:00");
const nap = hours(["sat", "sun"], "12:30", "14:00");
const dinner = hours(["mon"], "18:00", "18:45");
const none: Times = { time_zone: "Europe/Berlin", quiet_hours: [] };

test.each<[string, Times, TimesChange, Times]>([
  [
    "a time zone",
    none,
    { kind: "set time zone", timeZone: "Asia/Tokyo" },
    { ...none, time_zone: "Asia/Tokyo" },
  ],
  ["a pause without an end", none, { kind: "pause" }, { ...none, pause: {} }],
  [
    "another pause",
    { ...none, pause: {} },
    { kind: "pause", until: "2026-11-24T06:00:00Z" },
    { ...none, pause: { until: "2026-11-24T06:00:00Z" } },
  ],
  [
    "the end of a pause, and the limit stays",
    { ...none, pause: {}, minutes_a_day: 60 },
    { kind: "end pause" },
    { ...none, minutes_a_day: 60 },
  ],
  ["the end of a pause that has ended", none, { kind: "end pause" }, none],
  [
    "a limit, and the pause stays",
    { ...none, pause: {} },
    { kind: "set minutes", minutes: 45 },
    { ...none, pause: {}, minutes_a_day: 45 },
  ],
  ["no limit", { ...none, minutes_a_day: 45 }, { kind: "set minutes", minutes: null }, none],
  [
    "new quiet hours",
    { ...none, quiet_hours: [night] },
    { kind: "add quiet hours", hours: nap },
    { ...none, quiet_hours: [night, nap] },
  ],
  [
    "quiet hours that are there already, their days in another order",
    { ...none, quiet_hours: [nap] },
    { kind: "add quiet hours", hours: hours(["sun", "sat"], nap.from, nap.to) },
    { ...none, quiet_hours: [nap] },
  ],
  [
    "changed quiet hours, which keep their place",
    { ...none, quiet_hours: [night, nap] },
    { kind: "change quiet hours", before: night, after: dinner },
    { ...none, quiet_hours: [dinner, nap] },
  ],
  [
    "quiet hours that somebody else removed meanwhile",
    { ...none, quiet_hours: [nap] },
    { kind: "change quiet hours", before: night, after: dinner },
    { ...none, quiet_hours: [nap, dinner] },
  ],
  [
    "quiet hours that become others that are there",
    { ...none, quiet_hours: [night, nap] },
    { kind: "change quiet hours", before: nap, after: night },
    { ...none, quiet_hours: [night] },
  ],
  [
    "removed quiet hours",
    { ...none, quiet_hours: [night, nap] },
    { kind: "remove quiet hours", hours: night },
    { ...none, quiet_hours: [nap] },
  ],
  [
    "removed quiet hours that are gone already",
    { ...none, quiet_hours: [nap] },
    { kind: "remove quiet hours", hours: night },
    { ...none, quiet_hours: [nap] },
  ],
])("a change: %s", (_what, before, change, after) => {
  expect(withChanges(before, [change])).toEqual(after);
});

test("a change is applied to another guardian's later version", () => {
  const theirs: Times = { time_zone: "Asia/Tokyo", quiet_hours: [dinner], pause: {}, minutes_a_day: 30 };

  expect(withChanges(theirs, [{ kind: "add quiet hours", hours: night }])).toEqual({
    ...theirs,
    quiet_hours: [dinner, night],
  });
});

test("several changes are applied in order", () => {
  const changes: TimesChange[] = [
    { kind: "add quiet hours", hours: night },
    { kind: "change quiet hours", before: night, after: nap },
    { kind: "set minutes", minutes: 20 },
  ];

  expect(withChanges(none, changes)).toEqual({ ...none, quiet_hours: [nap], minutes_a_day: 20 });
});

test("quiet hours are equal regardless of the order of their days", () => {
  expect(sameHours(nap, hours(["sun", "sat"], nap.from, nap.to))).toBe(true);
  expect(sameHours(nap, hours(["sun"], nap.from, nap.to))).toBe(false);
  expect(sameHours(nap, { ...nap, to: "14:01" })).toBe(false);
});

test.each<[string, QuietHours, readonly QuietHours[], string | null]>([
  ["every night", night, [], null],
  ["beside others", night, [nap, dinner], null],
  ["no days", hours([], "20:00", "07:00"), [], "Please choose at least one day."],
  ["no beginning", { ...night, from: "" }, [], "Please say when the quiet hours begin and when they end."],
  ["no end", { ...night, to: "" }, [], "Please say when the quiet hours begin and when they end."],
  ["no length", { ...night, to: night.from }, [], "Quiet hours can't begin and end at the same time."],
  ["the same ones", night, [nap, night], "You have these quiet hours already."],
  [
    "too many",
    night,
    Array.from({ length: 28 }, (_, index) => ({ ...nap, from: `10:${index + 10}` })),
    "There can be at most 28 quiet hours.",
  ],
])("quiet hours are refused: %s", (_what, added, others, refusal) => {
  expect(refusalOf(added, others)).toBe(refusal);
});

test.each<[string, ReturnType<typeof minutesIn>]>([
  ["", { minutes: null }],
  ["  ", { minutes: null }],
  ["1", { minutes: 1 }],
  [" 45 ", { minutes: 45 }],
  ["1440", { minutes: 1440 }],
])("minutes a day, typed as '%s'", (text, expected) => {
  expect(minutesIn(text)).toEqual(expected);
});

test.each(["0", "1441", "-5", "1.5", "1e2", "an hour", "99999999999"])(
  "'%s' is an invalid number of minutes",
  (text) => {
    const refusal = "Please type a number from 1 to 1,440, or nothing for no limit.";
    expect(minutesIn(text)).toEqual({ refusal });
  },
);

test.each<[readonly Day[], string]>([
  [week, "Every day"],
  [["mon", "tue", "wed", "thu", "fri"], "Mon to Fri"],
  [["fri", "sat", "sun"], "Fri to Sun"],
  [["sun", "sat"], "Sat, Sun"],
  [["mon", "wed", "fri"], "Mon, Wed, Fri"],
  [["wed"], "Wed"],
  [["sun", "mon", "tue"], "Sun to Tue"],
  [["sun", "mon", "tue", "wed", "thu"] as const, "Sun to Thu"],
  [["fri", "sat", "mon", "tue"] as const, "Mon, Tue, Fri, Sat"],
])("the days %j are '%s'", (days, words) => {
  expect(daysInWords(days)).toBe(words);
});

test.each([
  [[night], 60, "Quiet hours: 8:30 PM to 7:00 AM · 60 minutes a day"],
  [
    [hours(["fri"], "21:00", "08:00"), nap],
    1,
    "Quiet hours: Fri, 9:00 PM to 8:00 AM and 1 more · 1 minute a day",
  ],
  [[], undefined, "No quiet hours · Daily limit: No limit"],
] as const)("the times in one line", (quietHours, minutes, words) => {
  const times = {
    time_zone: "Europe/Berlin",
    quiet_hours: [...quietHours],
    ...(minutes !== undefined && { minutes_a_day: minutes }),
  };

  expect(timesInOneLine(times).replaceAll("\u202F", " ")).toBe(words);
});

test.each([
  ["20:30", "07:00", true],
  ["23:59", "00:00", true],
  ["12:30", "14:00", false],
  ["12:30", "12:30", false],
  ["12:30", "", false],
])("from %s to %s passes midnight: %s", (from, to, expected) => {
  expect(passesMidnight({ from, to })).toBe(expected);
});
