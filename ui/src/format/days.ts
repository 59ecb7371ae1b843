/** Calendar days, `2026-11-23`, without a time zone. */
import { dateFormat } from "./locale";

const DAY_MS = 86_400_000;

function midnight(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

export function addDays(day: string, days: number): string {
  return new Date(midnight(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The day of the week: 0 is Monday. */
export function weekdayOf(day: string): number {
  return (new Date(midnight(day)).getUTCDay() + 6) % 7;
}

/** The Monday of the day's week. */
export function mondayOf(day: string): string {
  return addDays(day, -weekdayOf(day));
}

const SHORT = { month: "short", day: "numeric", timeZone: "UTC" } as const;

/** Omits the year of `now`. */
function yearUnless(day: string, now: Date): { year?: "numeric" } {
  return day.startsWith(`${now.getFullYear()}-`) ? {} : { year: "numeric" };
}

/** 'Nov 26' in the page's language, with the year unless it is this one. */
export function shortDay(day: string, now: Date): string {
  const words = { ...SHORT, ...yearUnless(day, now) };
  return dateFormat(words).format(midnight(day));
}

/** 'December 10' in the page's language, with the year unless it is this one. */
export function monthAndDay(day: string, now: Date): string {
  const words = { ...SHORT, month: "long", ...yearUnless(day, now) } as const;
  return dateFormat(words).format(midnight(day));
}

/** 'Nov 1–9' in the page's language, with the years unless both are this one; a single day alone. */
export function dayRange(from: string, to: string, now: Date): string {
  const words = { ...SHORT, ...yearUnless(from, now), ...yearUnless(to, now) };
  const range = dateFormat(words).formatRange(midnight(from), midnight(to));
  return range.replace(/\s*–\s*/u, "–");
}
