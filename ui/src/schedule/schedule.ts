/** Changes of a child's times, and their validation. The server has the same rules. */
import type { components } from "../api/generated/schema";
import { clockTime } from "../format/dates";

export type Times = components["schemas"]["Times"];
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

export const dayNames: Readonly<Record<Day, string>> = {
  mon: "Monday",
  tue: "Tuesday",
  wed: "Wednesday",
  thu: "Thursday",
  fri: "Friday",
  sat: "Saturday",
  sun: "Sunday",
};

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
  if (from === "" || to === "") return "Please say when the quiet hours begin and when they end.";
  if (from === to) return "Quiet hours can't begin and end at the same time.";
  return null;
}

/** Why quiet hours are invalid beside these others; null if they are valid. */
export function refusalOf(hours: QuietHours, others: readonly QuietHours[]): string | null {
  if (hours.days.length === 0) return "Please choose at least one day.";
  const refusal = refusalOfHours(hours);
  if (refusal !== null) return refusal;
  if (others.some((other) => sameHours(hours, other))) return "You have these quiet hours already.";
  if (others.length >= MAX_QUIET_HOURS) return `There can be at most ${MAX_QUIET_HOURS} quiet hours.`;
  return null;
}

/** Parses the minutes a day, null for no limit; or says why they are invalid. */
export function minutesIn(text: string): { minutes: number | null } | { refusal: string } {
  const typed = text.trim();
  if (typed === "") return { minutes: null };
  const minutes = /^\d{1,5}$/u.test(typed) ? Number(typed) : 0;
  if (minutes >= 1 && minutes <= MINUTES_OF_A_DAY) return { minutes };
  return {
    refusal: `Please type a number from 1 to ${MINUTES_OF_A_DAY.toLocaleString("en-US")}, or nothing for no limit.`,
  };
}

/** 'Quiet hours 8:00 PM to 7:00 AM · 60 minutes a day' */
export function timesInOneLine({ quiet_hours: [first, ...others], minutes_a_day: minutes }: Times): string {
  const limit =
    minutes === undefined ? "no daily limit" : `${minutes} ${minutes === 1 ? "minute" : "minutes"} a day`;
  if (first === undefined) return `No quiet hours · ${limit}`;
  const days = first.days.length === week.length ? "" : `${daysInWords(first.days)}, `;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `Quiet hours ${days}${hoursInWords(first)}${more} · ${limit}`;
}

/** '8:00 PM to 7:00 AM' */
export function hoursInWords({ from, to }: Pick<QuietHours, "from" | "to">): string {
  return `${clockTime(from)} to ${clockTime(to)}`;
}

/** 'Every day', 'Mon to Fri', 'Sun to Thu', 'Mon, Wed' */
export function daysInWords(days: readonly Day[]): string {
  if (days.length === week.length) return "Every day";
  const isFirst = (_: Day, index: number) => days.includes(dayAt(index)) && !days.includes(dayAt(index - 1));
  const firsts = week.filter(isFirst);
  const [first] = firsts;
  if (days.length > 2 && firsts.length === 1 && first !== undefined)
    return `${shortName(first)} to ${shortName(dayAt(week.indexOf(first) + days.length - 1))}`;
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
  return dayNames[day].slice(0, 3);
}
