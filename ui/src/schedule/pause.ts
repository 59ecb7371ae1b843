import type { Times } from "./schedule";
import { dayIn, instantOf } from "../format/dates";
import { addDays } from "../format/days";

const HOUR = 60 * 60_000;

export type PauseLength = "an hour" | "until tomorrow" | "until resumed";

/** The end of a pause that begins now; undefined if it has none. */
export function endOfPause(length: PauseLength, timeZone: string, now: Date): string | undefined {
  switch (length) {
    case "an hour":
      return new Date(now.getTime() + HOUR).toISOString();
    case "until tomorrow":
      return tomorrowAtSeven(timeZone, now).toISOString();
    case "until resumed":
      return undefined;
  }
}

/** The current pause; null if there is none or it is over. */
export function presentPause({ pause }: Times, now: Date): { until?: string } | null {
  if (pause === undefined) return null;
  return pause.until !== undefined && Date.parse(pause.until) <= now.getTime() ? null : pause;
}

/** Seven in the morning of the next day in a time zone. */
function tomorrowAtSeven(timeZone: string, now: Date): Date {
  return instantOf(addDays(dayIn(timeZone, now), 1), "07:00", timeZone);
}
