/** Changes of a child's times, and their validation. The server has the same rules. */
import { plural, t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";
import { clockTime, weekdayName } from "../format/dates";
import { andMore, labelled } from "../format/labelled";
import { pageLocale } from "../format/locale";

export type Times = components["schemas"]["Schedule"];
export type QuietHours = Times["quiet_hours"][number];
export type Day = QuietHours["days"][number];

/** A change by a guardian. After a conflict it is repeated on the other guardian's times. */
export type TimesChange =
  | { kind: "set time zone"; timeZone: string }
  /** Without `until` it has no end. */
  | { kind: "pause"; until?: string }
  | { kind: "end pause" }
  | { kind: "add quiet hours"; hours: QuietHours }
  | { kind: "change quiet hours"; before: QuietHours; after: QuietHours }
  | { kind: "remove quiet hours"; hours: QuietHours }
  /** Null for no limit. */
  | { kind: "set minutes"; minutes: number | null };

export const week: readonly Day[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

export function dayName(day: Day): string {
  return weekdayName(week.indexOf(day), "long");
}

const MAX_QUIET_HOURS = 28;
const MINUTES_OF_A_DAY = 1440;

/** Applies changes. Adding present hours and removing absent ones have no effect; changing absent hours adds them. */
export function withChanges(times: Times, changes: readonly TimesChange[]): Times {
  return changes.reduce(withChange, times);
}

function withChange(times: Times, change: TimesChange): Times {
  const { pause, minutes_a_day: minutes, ...rest } = times;
  const others = (one: QuietHours) => times.quiet_hours.filter((hours) => !sameHours(hours, one));
  switch (change.kind) {
    case "set time zone":
      return { ...times, time_zone: change.timeZone };
    case "pause":
      return { ...times, pause: change.until === undefined ? {} : { until: change.until } };
    case "end pause":
      return { ...rest, ...(minutes !== undefined && { minutes_a_day: minutes }) };
    case "add quiet hours":
      return { ...times, quiet_hours: [...others(change.hours), inOrder(change.hours)] };
    case "change quiet hours": {
      const after = inOrder(change.after);
      const place = times.quiet_hours.findIndex((hours) => sameHours(hours, change.before));
      const changed = times.quiet_hours.map((hours, index) => (index === place ? after : hours));
      const hours = place === -1 ? [...times.quiet_hours, after] : changed;
      return {
        ...times,
        quiet_hours: hours.filter(
          (one, index) => index === hours.findIndex((other) => sameHours(one, other)),
        ),
      };
    }
    case "remove quiet hours":
      return { ...times, quiet_hours: others(change.hours) };
    case "set minutes": {
      const limit = change.minutes === null ? {} : { minutes_a_day: change.minutes };
      return { ...rest, ...(pause !== undefined && { pause }), ...limit };
    }
  }
}

export function sameHours(one: QuietHours, other: QuietHours): boolean {
  return keyOf(one) === keyOf(other);
}

/** Identifies quiet hours, independent of the order of their days. */
export function keyOf(hours: QuietHours): string {
  const { days, from, to } = inOrder(hours);
  return `${days.join(",")} ${from}-${to}`;
}

function inOrder({ days, from, to }: QuietHours): QuietHours {
  return { days: week.filter((day) => days.includes(day)), from, to };
}

/** Whether they end on the next day. */
export function passesMidnight({ from, to }: Pick<QuietHours, "from" | "to">): boolean {
  return from !== "" && to !== "" && to < from;
}

/** Why hours are invalid; null if they are valid. The server has the same rules. */
export function refusalOfHours({ from, to }: Pick<QuietHours, "from" | "to">): string | null {
  if (from === "" || to === "") return t`Please say when the quiet hours begin and when they end.`;
  if (from === to) return t`Quiet hours can't begin and end at the same time.`;
  return null;
}

/** Why quiet hours are invalid beside these others; null if they are valid. */
export function refusalOf(hours: QuietHours, others: readonly QuietHours[]): string | null {
  if (hours.days.length === 0) return t`Please choose at least one day.`;
  const refusal = refusalOfHours(hours);
  if (refusal !== null) return refusal;
  if (others.some((other) => sameHours(hours, other))) return t`You have these quiet hours already.`;
  if (others.length >= MAX_QUIET_HOURS)
    return t`There can be at most ${{ most: MAX_QUIET_HOURS }} quiet hours.`;
  return null;
}

/** Parses the minutes a day, null for no limit; or says why they are invalid. */
export function minutesIn(text: string): { minutes: number | null } | { refusal: string } {
  const typed = text.trim();
  if (typed === "") return { minutes: null };
  const minutes = /^\d{1,5}$/u.test(typed) ? Number(typed) : 0;
  if (minutes >= 1 && minutes <= MINUTES_OF_A_DAY) return { minutes };
  const most = MINUTES_OF_A_DAY.toLocaleString(pageLocale());
  return { refusal: t`Please type a number from 1 to ${most}, or nothing for no limit.` };
}

/** 'Quiet hours 8:00 PM to 7:00 AM · 60 minutes a day' */
export function timesInOneLine({ quiet_hours: [first, ...others], minutes_a_day: minutes }: Times): string {
  const limit =
    minutes === undefined
      ? labelled(t`Daily limit`, t`No limit`)
      : plural(minutes, { one: "# minute a day", other: "# minutes a day" });
  const hours = first === undefined ? t`No quiet hours` : quietHoursInWords(first, others.length);
  return `${hours} · ${limit}`;
}

function quietHoursInWords(first: QuietHours, more: number): string {
  const times = hoursInWords(first);
  const hours = first.days.length === week.length ? times : `${daysInWords(first.days)}, ${times}`;
  return andMore(labelled(t`Quiet hours`, hours), more);
}

/** '8:00 PM to 7:00 AM' */
export function hoursInWords({ from, to }: Pick<QuietHours, "from" | "to">): string {
  return t`${{ begin: clockTime(from) }} to ${{ end: clockTime(to) }}`;
}

/** '8:00 PM to 7:00 AM the next day' */
export function hoursAndNextDay(hours: Pick<QuietHours, "from" | "to">): string {
  if (!passesMidnight(hours)) return hoursInWords(hours);
  return t`${{ begin: clockTime(hours.from) }} to ${{ end: clockTime(hours.to) }} the next day`;
}

/** 'Every day', 'Mon to Fri', 'Sun to Thu', 'Mon, Wed' */
export function daysInWords(days: readonly Day[]): string {
  if (days.length === week.length) return t`Every day`;
  const isFirst = (_: Day, index: number) => days.includes(dayAt(index)) && !days.includes(dayAt(index - 1));
  const firsts = week.filter(isFirst);
  const [first] = firsts;
  if (days.length > 2 && firsts.length === 1 && first !== undefined) {
    const last = dayAt(week.indexOf(first) + days.length - 1);
    return t`${{ begin: shortName(first) }} to ${{ end: shortName(last) }}`;
  }
  return week
    .filter((day) => days.includes(day))
    .map(shortName)
    .join(", ");
}

/** Sunday is followed by Monday. */
function dayAt(index: number): Day {
  return week.at(index % week.length) ?? "mon";
}

export function shortName(day: Day): string {
  return weekdayName(week.indexOf(day), "short");
}
