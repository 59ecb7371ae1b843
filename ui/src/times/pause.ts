import type { Times } from "./times";
import { knownZone } from "../format/dates";

const HOUR = 60 * 60_000;

export type PauseLength = "an hour" | "until tomorrow" | "until I say so";

/** The end of a pause that begins now; undefined if it has none. */
export function endOfPause(length: PauseLength, timeZone: string, now: Date): string | undefined {
  switch (length) {
    case "an hour":
      return new Date(now.getTime() + HOUR).toISOString();
    case "until tomorrow":
      return tomorrowAtSeven(timeZone, now).toISOString();
    case "until I say so":
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
  const today = clockIn(timeZone, now);
  const asIfUtc = Date.UTC(today.year, today.month - 1, today.day + 1, 7);
  // The zone's offset is that of the result: the second try has it even if the clock changes in between.
  const first = new Date(asIfUtc - offsetOf(timeZone, new Date(asIfUtc)));
  return new Date(asIfUtc - offsetOf(timeZone, first));
}

/** A time zone's UTC offset, in ms. */
function offsetOf(timeZone: string, at: Date): number {
  const { year, month, day, hour, minute, second } = clockIn(timeZone, at);
  const seconds = Math.floor(at.getTime() / 1000) * 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) - seconds;
}

function clockIn(timeZone: string, at: Date) {
  const parts = new Intl.DateTimeFormat("en-US-u-ca-iso8601-nu-latn", {
    timeZone: knownZone(timeZone),
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    hourCycle: "h23",
  }).formatToParts(at);
  const read = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value ?? 0);
  return {
    year: read("year"),
    month: read("month"),
    day: read("day"),
    hour: read("hour"),
    minute: read("minute"),
    second: read("second"),
  };
}
