/** Computes the charts' data from the metrics. */
import { msg, plural, t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";
import { dayOfYear, hourName, weekdayAndDay, weekdayName } from "../format/dates";
import { addDays, mondayOf } from "../format/days";
import { isolated } from "../format/isolated";
import { joinNames } from "../format/names";
import { plainText } from "../format/plain-text";
import { labelled } from "../format/labelled";
import type { Words } from "../ui/language";

type Metrics = components["schemas"]["Metrics"];
type DayMetrics = components["schemas"]["DayMetrics"];

/** The number of topics or moods with a colour of their own; the others share one. */
const NAMED = 4;

export const REST = msg`Everything else`;

/** A column of a chart: a day, a week or a length. */
export interface Column {
  /** 'Monday, November 23' */
  name: string;
  /** The label below the axis; may be empty. */
  tick: string;
  /** By series. */
  values: readonly number[];
}

export interface Chart {
  /** Names of topics, moods and what is counted. */
  series: readonly Words[];
  columns: readonly Column[];
}

export function minutesByDay({ days }: Metrics): Chart {
  const columns = days.map(({ day, seconds }) => ({
    name: weekdayAndDay(day),
    tick: mondayOf(day) === day ? dayOfYear(day) : "",
    values: [seconds / 60],
  }));
  return { series: [t`Minutes`], columns };
}

/** The days grouped by week, oldest first. */
function weeksOf({ days }: Metrics): readonly (readonly [monday: string, days: readonly DayMetrics[]])[] {
  const weeks = new Map<string, DayMetrics[]>();
  for (const day of days) {
    const monday = mondayOf(day.day);
    weeks.set(monday, [...(weeks.get(monday) ?? []), day]);
  }
  return [...weeks];
}

function byWeek(
  metrics: Metrics,
  series: readonly Words[],
  values: (days: readonly DayMetrics[]) => readonly number[],
): Chart {
  const columns = weeksOf(metrics).map(([monday, days]) => ({
    name: t`Week of ${{ date: dayOfYear(monday) }}`,
    tick: dayOfYear(monday),
    values: values(days),
  }));
  return { series, columns };
}

/** Each week's values by name: those of the first `NAMED` names, and the sum of the others. */
function partsByWeek(
  metrics: Metrics,
  names: readonly string[],
  partsOf: (day: DayMetrics) => readonly (readonly [name: string, value: number])[],
): Chart {
  const named = names.slice(0, NAMED);
  // Case-insensitive, like the server.
  const places = new Map(named.map((name, index) => [name.toLowerCase(), index]));
  const hasRest = names.length > NAMED;
  const series = [...named.map(plainText), ...(hasRest ? [REST] : [])];
  return byWeek(metrics, series, (days) => {
    const sums = series.map(() => 0);
    for (const [name, value] of days.flatMap(partsOf)) {
      const place = places.get(name.toLowerCase()) ?? (hasRest ? NAMED : -1);
      if (place >= 0) sums[place] = (sums[place] ?? 0) + value;
    }
    return sums;
  });
}

export function topicsByWeek(metrics: Metrics): Chart {
  const names = metrics.topics.map(({ topic }) => topic);
  return partsByWeek(metrics, names, ({ topics }) =>
    topics.map(({ topic, seconds }) => [topic, seconds / 60]),
  );
}

export function moodsByWeek(metrics: Metrics): Chart {
  const names = metrics.moods.map(({ mood }) => mood);
  return partsByWeek(metrics, names, ({ moods }) => moods.map(({ mood, sessions }) => [mood, sessions]));
}

/** The number of conversations by length. */
export function lengths({ lengths: groups }: Metrics): Chart {
  const columns = groups.map(({ from_minutes: from, to_minutes: to, sessions }) => ({
    name: lengthName(from, to),
    tick: to === undefined ? `${from}+` : `${from}–${to}`,
    values: [sessions],
  }));
  return { series: [t`Conversations`], columns };
}

function lengthName(from: number, to: number | undefined): string {
  if (to === undefined) return plural(from, { one: "# minute or more", other: "# minutes or more" });
  return from === 0
    ? plural(to, { one: "less than # minute", other: "less than # minutes" })
    : plural(to, { one: `${from} to # minute`, other: `${from} to # minutes` });
}

/** The percentage of the assistant's answers that were interrupted, by week. */
export function interruptionsByWeek(metrics: Metrics): Chart {
  return byWeek(metrics, [t`Interrupted`], (days) => [interruptedPercent(days)]);
}

export function interruptedPercent(days: readonly DayMetrics[]): number {
  const spoken = days.reduce((sum, day) => sum + day.messages_of_assistant, 0);
  const cut = days.reduce((sum, day) => sum + day.interruptions, 0);
  return spoken === 0 ? 0 : (cut / spoken) * 100;
}

/** The first day of the last `weeks` weeks, including the current one. */
export function firstDayOf(weeks: number, today: string): string {
  return addDays(mondayOf(today), -7 * (weeks - 1));
}

/** The average seconds per day since the first day with talk. `since` is that day, or null if it is the first day of all. */
export function averageByDay({ days }: Metrics): { seconds: number; since: string | null } {
  const first = days.findIndex(({ sessions, seconds }) => sessions + seconds > 0);
  const since = first > 0 ? days[first]?.day : undefined;
  const counted = days.slice(Math.max(0, first));
  const total = counted.reduce((sum, { seconds }) => sum + seconds, 0);
  return {
    seconds: total / Math.max(1, counted.length),
    since: since === undefined ? null : dayOfYear(since),
  };
}

/** The names with the highest value; empty if no value is above 0. */
export function topMost<T>(
  all: readonly T[],
  read: (one: T) => readonly [name: string, value: number],
): readonly string[] {
  const values = all.map(read);
  const highest = Math.max(0, ...values.map(([, value]) => value));
  return values.filter(([, value]) => highest > 0 && value === highest).map(([name]) => isolated(name));
}

/** A title with one or two names; `otherwise` for none or more. */
export function withNames(
  title: (names: string) => string,
  names: readonly string[],
  otherwise: string,
): string {
  return names.length === 1 || names.length === 2 ? title(joinNames(names)) : otherwise;
}

/** 'Monday 4 PM' */
export function weeklyHour(weekday: number, hour: number): string {
  return `${weekdayName(weekday)} ${hourName(hour)}`;
}

/** What is shown, and its value. */
export function withValue(name: string, value: string): string {
  return labelled(name, value);
}

/** Monday is 0. */
export const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6] as const;

export interface Hour {
  weekday: number;
  hour: number;
  seconds: number;
}

/** All hours of the week, by weekday and then hour. */
export function hoursOf({ week }: Metrics): readonly Hour[] {
  return week.flatMap((hours, weekday) => hours.map((seconds, hour) => ({ weekday, hour, seconds })));
}
