/** The words of Summary's status line. */
import type { components } from "../api/generated/schema";
import { authorName } from "../children/author";
import { knownZone, relativeDay, shortDateAndTime, timeIn, timeOfDay, viewersZone } from "../format/dates";
import { isolated } from "../format/isolated";

export type TalkStatus = components["schemas"]["TalkStatus"];

/** Longer lists of names are counted instead, so that the line keeps its height. */
const LONGEST_NAMES = 30;

/** The status in words. Times are in the child's time zone. */
export function statusSentence(status: TalkStatus, zone: string, now: Date): string {
  switch (status.state) {
    case "still_talking": {
      const { talking, unconfirmed } = status;
      const others = unconfirmed.filter((name) => !talking.includes(name));
      const sentence = `Paused, but ${names(talking)} ${isOrAre(talking)} still talking`;
      return others.length === 0 ? sentence : `${sentence}. ${unconfirmedSentence(others)}`;
    }
    case "pausing":
      return `Pausing. ${unconfirmedSentence(status.unconfirmed)}`;
    case "paused":
      return `Paused${byWhom(status)} until ${endOf(status, zone, now) ?? "resumed"}`;
    case "talking":
      return `Talking${status.talking.length === 0 ? "" : ` with ${names(status.talking)}`} now${despite(status)}`;
    case "no_assistant":
      return "No assistant connected";
    case "quiet_hours": {
      const end = endOf(status, zone, now);
      return end === null ? "Quiet hours" : `Quiet hours until ${end}`;
    }
    case "time_used_up":
      return "Daily limit reached";
    case "not_talking":
      return lastHeardSentence(status, now);
  }
}

/** When a pause ends that is not in force with all assistants: the line's second part. Null in other states. */
export function pauseEnd(status: TalkStatus, zone: string, now: Date): string | null {
  if (status.state !== "pausing" && status.state !== "still_talking") return null;
  return `Until ${endOf(status, zone, now) ?? "resumed"}`;
}

/** Shown from a tap until the server's status includes its pause, or its end; null if it does. */
export function pendingSentence(status: TalkStatus, pause: { until?: string } | null): string | null {
  if (pause === null) return status.pause === undefined ? null : "Resuming...";
  const isKnown = status.pause !== undefined && timeOf(status.pause.until) === timeOf(pause.until);
  return isKnown ? null : "Pausing...";
}

function timeOf(until: string | undefined): number | null {
  return until === undefined ? null : Date.parse(until);
}

/** Whether an assistant is talking with the child, allowed or not. */
export function isLive({ session_id: session }: TalkStatus): boolean {
  return session !== undefined;
}

function lastHeardSentence({ last_heard: last }: TalkStatus, now: Date): string {
  if (last === undefined) return "Not talking. Nothing heard yet";
  const from = last.assistant === undefined ? "" : ` from ${isolated(last.assistant)}`;
  const day = relativeDay(last.at, now).toLowerCase();
  const when = day === "" ? shortDateAndTime(last.at, now) : `${day}, ${timeOfDay(last.at)}`;
  return `Not talking. Last heard${from} ${when}`;
}

function unconfirmedSentence(assistants: readonly string[]): string {
  return `${names(assistants)} ${assistants.length === 1 ? "hasn't" : "haven't"} confirmed yet`;
}

function byWhom({ paused_by: author }: TalkStatus): string {
  if (author === undefined) return "";
  return ` by ${author.is_you ? "you" : isolated(authorName(author)).replace(/^Another/u, "another")}`;
}

function endOf({ until }: TalkStatus, timeZone: string, now: Date): string | null {
  if (until === undefined) return null;
  const zone = knownZone(timeZone);
  const where = zone === viewersZone() ? "" : ` (${zone})`;
  return `${timeIn(zone, until, now)}${where}`;
}

function despite({ why }: TalkStatus): string {
  switch (why) {
    case "quiet_hours":
      return ", in quiet hours";
    case "time_used_up":
      return ", past the daily limit";
    case "paused":
    case undefined:
      return "";
  }
}

function names(assistants: readonly string[]): string {
  const [first, second] = assistants.map(isolated);
  if (first === undefined) return "an assistant";
  if (second === undefined) return first;
  const both = `${first} and ${second}`;
  return assistants.length === 2 && both.length <= LONGEST_NAMES ? both : `${assistants.length} assistants`;
}

function isOrAre(assistants: readonly string[]): string {
  return assistants.length > 1 ? "are" : "is";
}
