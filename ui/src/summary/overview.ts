/** Computes the texts and numbers of the overview from the last two weeks' metrics. */
import { plural, t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";
import { capitalized, midnightAfter, weekdayName, dayWord } from "../format/dates";
import { addDays, mondayOf } from "../format/days";
import { inWords } from "../format/durations";
import { plainText } from "../format/plain-text";
import { countConversations } from "../format/retention";

type Metrics = components["schemas"]["Metrics"];
type DayMetrics = components["schemas"]["DayMetrics"];

/** The maximum number of topics in a sentence. */
const NAMED = 3;

const MAX_NOTES = 4;

/** A sentence about a day: minutes, conversations and topics. */
export interface DaySentence {
  /** 'Today' or 'Yesterday' */
  label: string;
  /** The sentence without its topics. */
  text: string;
  /** The topics after 'about'. */
  topics: readonly string[];
  /** The number of further topics. */
  more: number;
}

export function daySentence(label: string, day: DayMetrics | undefined): DaySentence {
  const topics = (day?.topics ?? []).map(({ topic }) => plainText(topic));
  const named = { label, topics: topics.slice(0, NAMED), more: Math.max(0, topics.length - NAMED) };
  if (day === undefined || (day.sessions === 0 && day.seconds === 0)) {
    return { ...named, text: t`No conversation` };
  }
  // Talk after midnight belongs to a session of the previous day.
  if (day.sessions === 0)
    return { ...named, text: t`${{ time: inWords(day.seconds) }} in a conversation of the day before` };
  if (day.seconds === 0) return { ...named, text: countConversations(day.sessions) };
  return { ...named, text: timeInConversations(day.seconds, day.sessions) };
}

/** '12 minutes in 3 conversations' */
export function timeInConversations(seconds: number, sessions: number): string {
  const time = inWords(seconds);
  return plural(sessions, { one: `${time} in # conversation`, other: `${time} in # conversations` });
}

/** The last day is today, in the child's time zone. */
export function todayAndYesterday({ days, to }: Metrics): readonly DaySentence[] {
  const find = (date: string) => days.find(({ day }) => day === date);
  return [
    daySentence(capitalized(dayWord("today")), find(to)),
    daySentence(capitalized(dayWord("yesterday")), find(addDays(to, -1))),
  ];
}

/** The retry delay when the day is over by this clock, which may be ahead of the server's. */
const CLOCK_AHEAD_MS = 15 * 60_000;

/** The maximum delay; this clock may be behind the server's. */
const LONGEST_DAY_MS = 25 * 60 * 60_000;

/** The delay until the last day ends in the child's time zone, in ms. */
export function untilNextDay({ to, time_zone: zone }: Metrics, now: Date): number {
  const left = midnightAfter(to, zone).getTime() - now.getTime();
  return left > 0 ? Math.min(left, LONGEST_DAY_MS) : CLOCK_AHEAD_MS;
}

/** A weekday's seconds in this week and in the last; null for days that are still to come. */
export interface Weekday {
  name: string;
  shortName: string;
  thisWeek: number | null;
  lastWeek: number;
}

export function weekdays({ days, to }: Metrics): readonly Weekday[] {
  const monday = mondayOf(to);
  const seconds = new Map(days.map(({ day, seconds: heard }) => [day, heard]));
  return Array.from({ length: 7 }, (_, index) => {
    const date = addDays(monday, index);
    return {
      name: weekdayName(index, "long"),
      shortName: weekdayName(index, "short"),
      thisWeek: date > to ? null : (seconds.get(date) ?? 0),
      lastWeek: seconds.get(addDays(date, -7)) ?? 0,
    };
  });
}

/** In seconds; this week's only so far. */
export function totals(week: readonly Weekday[]): { thisWeek: number; lastWeek: number } {
  const sum = (of: (day: Weekday) => number) => week.reduce((total, day) => total + of(day), 0);
  return { thisWeek: sum((day) => day.thisWeek ?? 0), lastWeek: sum((day) => day.lastWeek) };
}

/** Whether there was no session on these days. */
export function isQuiet({ days }: Metrics): boolean {
  return days.every((day) => day.sessions === 0 && day.seconds === 0);
}

/** A text of the assistant's report and its label. */
export interface Note {
  label: string;
  text: string;
}

/** The texts and lists of texts in the assistant's report. Other values are shown only as JSON. */
export function notesOf(summary: unknown): readonly Note[] {
  const report = isObject(summary) ? summary["report"] : undefined;
  if (!isObject(report)) return [];
  const named = (isWanted: (value: unknown) => boolean) =>
    Object.entries(report)
      .filter(([, value]) => isWanted(value))
      .map(([name, value]) => ({ label: labelOf(name), text: textOf(value) }));
  // Texts come before lists.
  const notes = [...named((value) => typeof value === "string"), ...named(Array.isArray)];
  return notes.filter(({ text }) => text !== "").slice(0, MAX_NOTES);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  if (typeof value === "string") return plainText(value).trim();
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === "string");
  return isTexts ? value.map((one) => plainText(one).trim()).join(", ") : "";
}

/** Returns 'Times tables' for 'times_tables'. */
function labelOf(name: string): string {
  const words = plainText(name).replaceAll(/[_-]+/gu, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
