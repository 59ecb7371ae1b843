import type { components } from "../api/generated/schema";
import { timeIn } from "../format/dates";

export type Talk = components["schemas"]["Rules"]["talk"];

const reasons: Readonly<Record<NonNullable<Talk["why"]>, string>> = {
  paused: "talking is paused",
  quiet_hours: "these are quiet hours",
  time_used_up: "today's minutes are used up",
};

/** The text after the child's name: whether it may talk now, and the next change, in its time zone. */
export function talkWords(
  { allowed, why, until, seconds_left: left }: Talk,
  timeZone: string,
  now: Date,
): string {
  const next = until === undefined ? "" : timeIn(timeZone, until, now);
  if (!allowed) {
    const reason = why === undefined ? "" : `: ${reasons[why]}`;
    return `may not talk now${reason}.${next === "" ? "" : ` Again from ${next}.`}`;
  }
  const remaining = left === undefined ? "" : ` ${minutesOf(left)} left today.`;
  const quiet = next === "" ? "" : ` The next quiet hours begin: ${next}.`;
  return `may talk now.${remaining}${quiet}`;
}

export function minutesUsed(seconds: number): string {
  return `${minutesOf(seconds)} used today.`;
}

function minutesOf(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 1 ? "1 minute" : `${minutes.toLocaleString("en-US")} minutes`;
}

/** The delay until the status changes, in ms; false if it doesn't change by the clock. */
export function untilChange(until: string | undefined, now: Date): number | false {
  const ms = Date.parse(until ?? "") - now.getTime();
  // The maximum delay of a browser's timer.
  return Number.isNaN(ms) ? false : Math.min(Math.max(ms, 1000), 2 ** 31 - 1);
}
