import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";

import { addDays } from "./days";
import { dateFormat, pageLocale } from "./locale";

/** How a day is written but for a session's date: short month and day, 'Nov 24'. */
const DAY = { month: "short", day: "numeric" } as const;
const DAY_AND_YEAR = { ...DAY, year: "numeric" } as const;
const WEEKDAY = { weekday: "short", ...DAY } as const;

const CLOCK = { hour: "numeric", minute: "2-digit" } as const;

function formatted(date: Date, options: Intl.DateTimeFormatOptions, locale = pageLocale()): string {
  return dateFormat(options, locale).format(date);
}

/** An activity's date: in English that of the US; short month, numeric day and year, in UTC. */
export function activityDate(value: string | null | undefined): string {
  const date = parse(value);
  if (date === null) return t`Invalid Date`;
  const locale = i18n.locale === "en" ? "en-US" : pageLocale();
  return formatted(date, { ...DAY_AND_YEAR, timeZone: "UTC" }, locale);
}

/** A session's date: the language's date string, in the viewer's time zone. */
export function sessionDate(value: string | null | undefined): string {
  const date = parse(value);
  return date === null ? t`Unknown date` : formatted(date, {});
}

/** The time of day in the page's language and the viewer's time zone; empty if it is invalid. */
export function timeOfDay(value: string): string {
  const date = parse(value);
  return date === null ? "" : formatted(date, CLOCK);
}

/** 'Tue, Nov 24, 6:15 PM' in the page's language and the viewer's time zone, with the year unless it is this one; empty if it is invalid. */
export function dayAndTime(value: string, now: Date = new Date()): string {
  const date = parse(value);
  if (date === null) return "";
  return formatted(date, { ...WEEKDAY, ...yearOf(date, now), ...CLOCK });
}

/** Omits the current year. */
function yearOf(date: Date, now: Date, timeZone?: string): { year?: "numeric" } {
  const year = (at: Date) => formatted(at, { year: "numeric", timeZone }, "en-US");
  return year(date) === year(now) ? {} : { year: "numeric" };
}

/** A day next to the current one, in the viewer's time zone; null for other days. */
export function nearDay(value: string, now: Date): "today" | "yesterday" | "tomorrow" | null {
  const day = parse(value)?.toDateString();
  const isIn = (days: number) =>
    day === new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).toDateString();
  return isIn(0) ? "today" : isIn(-1) ? "yesterday" : isIn(1) ? "tomorrow" : null;
}

const DAYS = { yesterday: -1, today: 0, tomorrow: 1 } as const;

/** In a sentence: 'today', 'yesterday' or 'tomorrow'. */
export function dayWord(day: keyof typeof DAYS): string {
  return relativeWords(DAYS[day], "day");
}

/** 'now', '2 minutes ago', 'tomorrow'. A negative `count` is in the past. */
export function relativeWords(count: number, unit: "second" | "minute" | "day"): string {
  return new Intl.RelativeTimeFormat(pageLocale(), { numeric: "auto" }).format(count, unit);
}

/** In a sentence: 'today', 'yesterday' or 'tomorrow' in the viewer's time zone; null for other days. */
export function nearDayInSentence(value: string, now: Date): string | null {
  const day = nearDay(value, now);
  return day === null ? null : dayWord(day);
}

/** 'Today', 'Yesterday' or 'Tomorrow' in the viewer's time zone; empty on other days. */
export function relativeDay(value: string, now: Date): string {
  return capitalized(nearDayInSentence(value, now) ?? "");
}

/** Under the heading of its day: 'Today 6:15 PM', 'Fri 6:15 PM'; empty if it is invalid. */
export function weekdayAndTime(value: string, now: Date): string {
  const date = parse(value);
  if (date === null) return "";
  return nearDay(value, now) === null
    ? formatted(date, { weekday: "short", ...CLOCK })
    : capitalized(relativeTime(value, now));
}

/** Whether two times are on the same day in the viewer's time zone. */
export function sameDay(one: string, other: string): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

/** The short date in the page's language and the viewer's time zone, with the year unless it is this one; empty if it is invalid. */
export function shortDate(value: string, now: Date): string {
  const date = parse(value);
  if (date === null) return "";
  return formatted(date, { ...DAY, ...yearOf(date, now) });
}

/** The short date and the time of day. */
export function shortDateAndTime(value: string, now: Date): string {
  const date = parse(value);
  return date === null ? "" : formatted(date, { ...DAY, ...yearOf(date, now), ...CLOCK });
}

/** The time of day alone if it is today, else with the short date. */
export function shortTime(value: string, now: Date): string {
  return sameDay(value, now.toISOString()) ? timeOfDay(value) : shortDateAndTime(value, now);
}

/** 'today 6:15 PM', also with yesterday and tomorrow, else the short date and the time of day. */
export function relativeTime(value: string, now: Date): string {
  const day = nearDayInSentence(value, now);
  return day === null ? shortDateAndTime(value, now) : t`${day} ${{ time: timeOfDay(value) }}`;
}

/** In a sentence: 'today 6:15 PM', else 'on Nov 3, 6:15 PM'. */
export function atRelativeTime(value: string, now: Date): string {
  const time = relativeTime(value, now);
  return nearDay(value, now) === null ? t`on ${time}` : time;
}

/** At the beginning of a line: 'Today 6:15 PM'. */
export function capitalized(text: string): string {
  return text.charAt(0).toLocaleUpperCase(pageLocale()) + text.slice(1);
}

/** An hour of the day: '4 PM', where a day has 24 hours '16:00'. */
export function hourName(hour: number): string {
  const date = new Date(Date.UTC(2000, 0, 1, hour));
  const name = formatted(date, { hour: "numeric", timeZone: "UTC" });
  return /^\d+$/u.test(name) ? formatted(date, { ...CLOCK, timeZone: "UTC" }) : name;
}

/** The name of a day of the week: 0 is Monday. */
export function weekdayName(weekday: number, length: "long" | "short" = "long"): string {
  return formatted(new Date(Date.UTC(2001, 0, 1 + weekday)), { weekday: length, timeZone: "UTC" });
}

/** A calendar day, `2026-11-23`, as 'Mon, Nov 23'. */
export function weekdayAndDay(day: string): string {
  return formatted(new Date(`${day}T00:00:00Z`), { ...WEEKDAY, timeZone: "UTC" });
}

/** A calendar day, `2026-11-23`, as 'Nov 23'. */
export function dayOfYear(day: string): string {
  return formatted(new Date(`${day}T00:00:00Z`), { ...DAY, timeZone: "UTC" });
}

/** A time of day, `HH:MM`, in the page's language. */
export function clockTime(value: string): string {
  return timeOfDay(`2000-01-01T${value}:00`);
}

/** A time in another time zone: the time of day, with weekday and short date unless that is today there. */
export function timeIn(zone: string, value: string, now: Date): string {
  const date = parse(value);
  if (date === null) return "";
  const timeZone = knownZone(zone);
  const day = (at: Date) => formatted(at, { timeZone }, "en-US");
  if (day(date) === day(now)) return formatted(date, { ...CLOCK, timeZone });
  return formatted(date, { ...WEEKDAY, ...yearOf(date, now, timeZone), ...CLOCK, timeZone });
}

/** A time in another time zone, with the zone's name unless the viewer's has the same. */
export function timeAndZone(zone: string, value: string, now: Date): string {
  const name = zoneName(knownZone(zone));
  const time = timeIn(zone, value, now);
  return name === zoneName(viewersZone()) ? time : `${time} (${name})`;
}

/** The end of this day, `2026-11-23`, in a time zone. */
export function midnightAfter(day: string, zone: string): Date {
  return instantOf(addDays(day, 1), "00:00", zone);
}

/** A day, `2026-11-23`, and a time of day, `HH:MM`, in a time zone. */
export function instantOf(day: string, clock: string, zone: string): Date {
  const asUtc = Date.parse(`${day}T${clock}:00Z`);
  // The offset may change between this time in UTC and there.
  return new Date(asUtc - offsetIn(zone, asUtc - offsetIn(zone, asUtc)));
}

/** The day, `2026-11-23`, in a time zone. */
export function dayIn(zone: string, at: Date): string {
  return new Date(at.getTime() + offsetIn(zone, at.getTime())).toISOString().slice(0, 10);
}

const CLOCK_AND_DAY = {
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
} as const;

/** The UTC offset of a time zone at this time, in ms. */
function offsetIn(zone: string, at: number): number {
  const parts = dateFormat({ ...CLOCK_AND_DAY, timeZone: knownZone(zone) }, "en-US").formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((it) => it.type === type)?.value);
  const there = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return there - Math.floor(at / 1000) * 1000;
}

/** The time zone if this browser knows it, else the viewer's: formatting in an unknown one throws. */
export function knownZone(zone: string): string {
  try {
    return dateFormat({ timeZone: zone }, "en-US").resolvedOptions().timeZone;
  } catch {
    return viewersZone();
  }
}

/**
 * The name of a time zone in the page's language, 'Central European Time' or 'UTC'; that of one which this browser doesn't know is as
 * given.
 */
export function zoneName(zone: string): string {
  if (isUtc(zone)) return "UTC";
  try {
    const named = { timeZone: zone, timeZoneName: "longGeneric" } as const;
    const parts = dateFormat(named).formatToParts();
    return parts.find(({ type }) => type === "timeZoneName")?.value ?? zone;
  } catch {
    return zone;
  }
}

const UTC = /^(?:Etc\/)?(?:UTC|UCT|Universal|Zulu|(?:GMT(?:[+-]?0)?)|Greenwich)$/u;

/** Whether a time zone is UTC itself, under any of its names. */
export function isUtc(zone: string): boolean {
  return UTC.test(zone);
}

/** The browser's time zone; UTC if it knows none. */
export function viewersZone(): string {
  const zone = new Intl.DateTimeFormat("en-US").resolvedOptions().timeZone;
  return zone === "Etc/Unknown" ? "UTC" : zone;
}

function parse(value: string | null | undefined): Date | null {
  if (value === null || value === undefined || value === "") return null;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : date;
}
