/** The words of Summary's status line. */
import { plural, t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";
import { authorName } from "../children/author";
import { capitalized, timeAndZone } from "../format/dates";
import { isolated } from "../format/isolated";
import { joinNames } from "../format/names";
import type { PauseChange } from "../schedule/queries";

export type TalkStatus = components["schemas"]["TalkStatus"];

/** Longer names are counted instead, so that the line keeps its height. */
const LONGEST_NAMES = 30;

/** The status in words. Times are in the child's time zone. */
export function statusSentence(status: TalkStatus, zone: string, now: Date): string {
  switch (status.state) {
    case "still_talking":
      return stillTalkingSentence(pausedSentence(status, zone, now), shownNames(status.talking));
    case "pausing":
    case "paused":
      return pausedSentence(status, zone, now);
    case "talking":
      return talkingSentence(status);
    case "no_assistant":
      return t`No assistant connected.`;
    case "quiet_hours": {
      const end = endOf(status, zone, now);
      return end === null ? t`Quiet hours` : t`Quiet hours until ${end}`;
    }
    case "time_used_up":
      return t`Daily limit reached`;
    case "not_talking":
      return t`Not talking`;
  }
}

function talkingSentence({ talking, why }: TalkStatus): string {
  const sentence = talkingWithSentence(shownNames(talking));
  switch (why) {
    case "quiet_hours":
      return t`${sentence}, in quiet hours`;
    case "time_used_up":
      return t`${sentence}, past the daily limit`;
    case "paused":
    case undefined:
      return sentence;
  }
}

function talkingWithSentence({ count, names }: ShownNames): string {
  return count === 0 ? capitalized(t`talking now`) : t`Talking with ${names} now`;
}

function stillTalkingSentence(paused: string, shown: ShownNames): string {
  const names = shown.count === 0 ? t`an assistant` : shown.names;
  return plural(
    { count: Math.max(shown.count, 1) },
    { one: `${paused}, but ${names} is still talking`, other: `${paused}, but ${names} are still talking` },
  );
}

/** Whether an assistant is talking with the child, allowed or not. */
export function isLive({ session_id: session }: TalkStatus): boolean {
  return session !== undefined;
}

function pausedSentence(status: TalkStatus, zone: string, now: Date): string {
  const time = endOf(status, zone, now);
  const { paused_by: author } = status;
  const paused = time === null ? t`Paused until resumed` : t`Paused until ${time}`;
  // Whoever paused it themselves needs no name.
  return author === undefined || author.is_you ? paused : `${paused} · ${isolated(authorName(author))}`;
}

/** Who may go on talking through the pause, after the status; null if every assistant has answered. */
export function noAnswerSentence({ state, talking, unconfirmed }: TalkStatus): string | null {
  if (state !== "pausing" && state !== "still_talking") return null;
  const isNamed = (name: string) => state === "still_talking" && talking.includes(name);
  const silent = unconfirmed.filter((name) => !isNamed(name));
  if (silent.length === 0) return null;
  const [first = ""] = silent;
  const { count, names: all } = shownNames(silent);
  const names = count === 1 && first.length > LONGEST_NAMES ? t`an assistant` : all;
  return plural(count, {
    one: `No answer yet from ${names}. It may go on talking.`,
    other: `No answer yet from ${names}. They may go on talking.`,
  });
}

/** What is said of a change of the pause that failed. */
export function failureOfPause(kind: PauseChange["kind"], reason: string): string {
  return `${kind === "pause" ? t`Not paused.` : t`Still paused.`} ${reason}`;
}

function endOf({ until }: TalkStatus, zone: string, now: Date): string | null {
  return until === undefined ? null : timeAndZone(zone, until, now);
}

interface ShownNames {
  count: number;
  /** The assistants' names, or how many they are. */
  names: string;
}

function shownNames(assistants: readonly string[]): ShownNames {
  const count = assistants.length;
  const names = joinNames(assistants.map(isolated));
  const isShort = count === 1 || (count === 2 && names.length <= LONGEST_NAMES);
  return {
    count,
    names: isShort ? names : plural(count, { one: "# assistant", other: "# assistants" }),
  };
}
