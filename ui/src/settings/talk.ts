import { plural, t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";
import { timeIn } from "../format/dates";

export type Talk = components["schemas"]["Rules"]["talk"];

/** Whether the child may talk now, and the next change, in its time zone. */
export function talkSentences(name: string, talk: Talk, timeZone: string, now: Date): string {
  const { allowed, until, seconds_left: left } = talk;
  const time = until === undefined ? "" : timeIn(timeZone, until, now);
  const sentences = allowed
    ? [
        t`${name} may talk now.`,
        left === undefined ? "" : minutesLeft(left),
        time === "" ? "" : t`The next quiet hours begin: ${time}.`,
      ]
    : [`${refusal(talk, time)}.`];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function refusal({ why }: Talk, time: string): string {
  switch (why) {
    case "paused":
    case undefined:
      return time === "" ? t`Paused until resumed` : t`Paused until ${time}`;
    case "quiet_hours":
      return time === "" ? t`Quiet hours` : t`Quiet hours until ${{ end: time }}`;
    case "time_used_up":
      return t`Daily limit reached`;
  }
}

function minutesLeft(seconds: number): string {
  return plural(
    { minutes: Math.floor(seconds / 60) },
    { one: "# minute left today.", other: "# minutes left today." },
  );
}

export function minutesUsed(seconds: number): string {
  return plural(
    { minutes: Math.floor(seconds / 60) },
    { one: "# minute used today.", other: "# minutes used today." },
  );
}

/** The delay until the status changes, in ms; false if it doesn't change by the clock. */
export function untilChange(until: string | undefined, now: Date): number | false {
  const ms = Date.parse(until ?? "") - now.getTime();
  // The maximum delay of a browser's timer.
  return Number.isNaN(ms) ? false : Math.min(Math.max(ms, 1000), 2 ** 31 - 1);
}
