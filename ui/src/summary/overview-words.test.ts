import { expect, test } from "vitest";

import { daySentence, notesOf, todayAndYesterday, totals, untilNextDay, weekdays } from "./overview";
import type { components } from "../api/generated/schema";
import { addDays } from "../format/days";
import { day } from "../test/day-metrics";

type Metrics = components["schemas"]["Metrics"];
type DayMetrics = components["schemas"]["DayMetrics"];

function topics(...names: string[]) {
  return names.map((topic) => ({ topic, sessions: 1, seconds: 60 }));
}

/** Metrics of consecutive days with these seconds of talk. */
function metrics(from: string, seconds: readonly number[]): Metrics {
  const days = seconds.map((of, index) =>
    day(addDays(from, index), { seconds: of, sessions: of > 0 ? 1 : 0 }),
  );
  const to = addDays(from, seconds.length - 1);
  return { time_zone: "Europe/Berlin", from, to, days, week: [], lengths: [], topics: [], moods: [] };
}

test.each<[string, DayMetrics | undefined, string, string[], number]>([
  ["a day without talk", day("2026-11-22"), "No conversation", [], 0],
  ["a day that was not answered", undefined, "No conversation", [], 0],
  [
    "one conversation",
    day("2026-11-22", { seconds: 720, sessions: 1, topics: topics("Octopuses") }),
    "12 minutes in 1 conversation",
    ["Octopuses"],
    0,
  ],
  [
    "many topics",
    day("2026-11-22", { seconds: 20, sessions: 5, topics: topics("a", "b", "c", "d", "e") }),
    "less than a minute in 5 conversations",
    ["a", "b", "c"],
    2,
  ],
  ["words that took no time", day("2026-11-22", { sessions: 2 }), "2 conversations", [], 0],
  [
    "talk after midnight",
    day("2026-11-22", { seconds: 300 }),
    "5 minutes in a conversation of the day before",
    [],
    0,
  ],
])("%s in a sentence", (_what, of, text, named, more) => {
  expect(daySentence("Yesterday", of)).toEqual({ label: "Yesterday", text, topics: named, more });
});

test("today is the last day of the response, not the browser's current day", () => {
  const sentences = todayAndYesterday(metrics("2026-11-16", [0, 0, 0, 0, 0, 600, 120, 60]));

  expect(sentences.map(({ label, text }) => `${label}: ${text}`)).toEqual([
    "Today: 1 minute in 1 conversation",
    "Yesterday: 2 minutes in 1 conversation",
  ]);
});

test("this week is compared with the last by weekday, and future days are null", () => {
  const week = weekdays(metrics("2026-11-16", [60, 120, 0, 0, 0, 0, 600, 180, 0]));

  expect(week.map(({ thisWeek }) => thisWeek)).toEqual([180, 0, null, null, null, null, null]);
  expect(week.map(({ lastWeek }) => lastWeek)).toEqual([60, 120, 0, 0, 0, 0, 600]);
  expect(totals(week)).toEqual({ thisWeek: 180, lastWeek: 780 });
});

test.each<[string, unknown, [string, string][]]>([
  ["no summary", null, []],
  ["no report", { sessions: 3 }, []],
  ["a list as the report", { report: ["a"] }, []],
  [
    "texts before lists of texts, and nothing else",
    {
      report: {
        interests: ["space", "bees"],
        times_tables: { secure: [2] },
        count: 3,
        good_note: " She asks why. ",
      },
    },
    [
      ["Good note", "She asks why."],
      ["Interests", "space, bees"],
    ],
  ],
  ["empty texts", { report: { note: "  ", list: [] } }, []],
])("the assistant's note of %s", (_what, summary, notes) => {
  expect(notesOf(summary).map(({ label, text }) => [label, text])).toEqual(notes);
});

test.each([
  ["in Berlin", "2026-11-23", "Europe/Berlin", "2026-11-23T22:30:00Z", 30],
  ["far in the east", "2026-11-23", "Pacific/Kiritimati", "2026-11-23T09:00:00Z", 60],
  ["in the west", "2026-11-23", "America/New_York", "2026-11-24T04:59:00Z", 1],
  ["on the day on which the clocks go forward", "2026-03-29", "Europe/Berlin", "2026-03-29T21:00:00Z", 60],
  ["on the day on which the clocks go back", "2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00Z", 25 * 60],
  ["by a clock that is ahead", "2026-11-23", "Europe/Berlin", "2026-11-24T05:00:00Z", 15],
  ["by a clock that is far behind", "2026-11-23", "Europe/Berlin", "2020-01-01T00:00:00Z", 25 * 60],
])("%s the day ends after the expected number of minutes", (_where, to, zone, now, minutes) => {
  expect(untilNextDay({ ...metrics(to, [0]), time_zone: zone }, new Date(now))).toBe(minutes * 60_000);
});
