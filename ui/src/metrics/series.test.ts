import { expect, test } from "vitest";

import {
  REST,
  averageByDay,
  firstDayOf,
  interruptedPercent,
  lengths,
  minutesByDay,
  moodsByWeek,
  topMost,
  topicsByWeek,
  withNames,
} from "./series";
import type { components } from "../api/generated/schema";
import { day } from "../test/day-metrics";

type Metrics = components["schemas"]["Metrics"];
type DayMetrics = components["schemas"]["DayMetrics"];

function metrics(days: DayMetrics[], more: Partial<Metrics> = {}): Metrics {
  const from = days[0]?.day ?? "";
  const to = days.at(-1)?.day ?? "";
  return { time_zone: "UTC", from, to, days, week: [], lengths: [], topics: [], moods: [], ...more };
}

function about(topic: string, seconds: number) {
  return { topic, seconds, sessions: 1 };
}

test("days are named with their weekday, and only Mondays have a tick", () => {
  const { columns } = minutesByDay(metrics([day("2026-11-22"), day("2026-11-23", { seconds: 90 })]));

  expect(columns).toEqual([
    { name: "Sun, Nov 22", tick: "", values: [0] },
    { name: "Mon, Nov 23", tick: "Nov 23", values: [1.5] },
  ]);
});

test("the first four topics have a series each, the others share one; case is ignored", () => {
  const names = ["Moon", "Bees", "Stars", "Rivers", "Ships", "Kites"];
  const days = [
    day("2026-11-16", { topics: [about("MOON", 120), about("Ships", 60)] }),
    day("2026-11-22", { topics: [about("Moon", 60), about("Kites", 60)] }),
    day("2026-11-23", { topics: [about("Bees", 600)] }),
  ];
  const topics = names.map((topic) => ({ ...about(topic, 60), newest: [] }));

  const { series, columns } = topicsByWeek(metrics(days, { topics }));

  expect(series).toEqual(["Moon", "Bees", "Stars", "Rivers", REST]);
  expect(columns.map(({ name, values }) => [name, values])).toEqual([
    ["Week of Nov 16", [3, 0, 0, 0, 2]],
    ["Week of Nov 23", [0, 10, 0, 0, 0]],
  ]);
});

test("without moods there is nothing to show", () => {
  expect(moodsByWeek(metrics([day("2026-11-23")])).series).toEqual([]);
});

test("a length is named by its bounds", () => {
  const groups = [
    { from_minutes: 0, to_minutes: 2, sessions: 1 },
    { from_minutes: 2, to_minutes: 5, sessions: 4 },
    { from_minutes: 5, sessions: 2 },
  ];

  const chart = lengths(metrics([], { lengths: groups }));

  expect(chart.columns.map(({ name, tick }) => [name, tick])).toEqual([
    ["less than 2 minutes", "0–2"],
    ["2 to 5 minutes", "2–5"],
    ["5 minutes or more", "5+"],
  ]);
});

test("interruptions are counted among the assistant's answers", () => {
  expect(interruptedPercent([])).toBe(0);
  const days = [
    day("2026-11-22", { messages_of_assistant: 10, interruptions: 1 }),
    day("2026-11-23", { messages_of_assistant: 30, interruptions: 3 }),
  ];
  expect(interruptedPercent(days)).toBe(10);
});

test.each([
  [1, "2026-11-23", "2026-11-23"],
  [4, "2026-11-25", "2026-11-02"],
  [12, "2026-11-22", "2026-08-31"],
])("%i weeks up to %s begin on %s", (weeks, today, first) => {
  expect(firstDayOf(weeks, today)).toBe(first);
});

test.each<[string, [string, number][], string]>([
  [
    "one is ahead",
    [
      ["calm", 1],
      ["curious", 2],
    ],
    "Most often curious",
  ],
  [
    "two are equal",
    [
      ["calm", 2],
      ["curious", 2],
      ["tired", 1],
    ],
    "Most often calm and curious",
  ],
  [
    "more are equal",
    [
      ["calm", 2],
      ["curious", 2],
      ["tired", 2],
    ],
    "Moods the assistant noted",
  ],
  ["nothing is there", [["calm", 0]], "Moods the assistant noted"],
])("a title when %s", (_when, moods, title) => {
  expect(
    withNames(
      (names) => `Most often ${names}`,
      topMost(moods, (mood) => mood),
      "Moods the assistant noted",
    ),
  ).toBe(title);
});

test("the average of a day counts from the first day with talk", () => {
  const talked = [day("2026-11-22", { seconds: 120, sessions: 1 }), day("2026-11-23")];

  expect(averageByDay(metrics(talked))).toEqual({ seconds: 60, since: null });
  const later = [day("2026-11-20"), day("2026-11-21"), ...talked];
  expect(averageByDay(metrics(later))).toEqual({ seconds: 60, since: "Nov 22" });
  expect(averageByDay(metrics([day("2026-11-23")]))).toEqual({ seconds: 0, since: null });
});
