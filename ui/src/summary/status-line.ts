/** The words of Summary's status line. */
import type { components } from "../api/generated/schema";
import { authorName } from "../children/author";
import { knownZone, timeIn, viewersZone } from "../format/dates";
import { isolated } from "../format/isolated";
import type { PauseChange } from "../schedule/queries";

export type TalkStatus = components["schemas"]["TalkStatus"];

/** Longer names are counted instead, so that the line keeps its height. */
const LONGEST_NAMES = 30;

/** The status in words. Times are in the child's time zone. */
export function statusSentence(status: TalkStatus, zone: string, now: Date): string {
  const { talking } = status;
  switch (status.state) {
    case "still_talking":
      return `${pausedSentence(status, zone, now)}, but ${names(talking)} ${talking.length > 1 ? "are" : "is"} still talking`;
    case "pausing":
    case "paused":
      return pausedSentence(status, zone, now);
    case "talking":
      return `Talking${talking.length === 0 ? "" : ` with ${names(talking)}`} now${despite(status)}`;
    case "no_assistant":
      return "No assistant connected";
    case "quiet_hours": {
      const end = endOf(status, zone, now);
      return end === null ? "Quiet hours" : `Quiet hours until ${end}`;
    }
    case "time_used_up":
      return "Daily limit reached";
    case "not_talking":
      return "Not talking";
  }
}

/** Whether an assistant is talking with the child, allowed or not. */
export function isLive({ session_id: session }: TalkStatus): boolean {
  return session !== undefined;
}

function pausedSentence(status: TalkStatus, zone: string, now: Date): string {
  return `Paused${byWhom(status)} until ${endOf(status, zone, now) ?? "resumed"}`;
}

/** Who may go on talking through the pause, after the status; null if every assistant has answered. */
export function noAnswerSentence({ state, talking, unconfirmed }: TalkStatus): string | null {
  if (state !== "pausing" && state !== "still_talking") return null;
  const isNamed = (name: string) => state === "still_talking" && talking.includes(name);
  const silent = unconfirmed.filter((name) => !isNamed(name));
  if (silent.length === 0) return null;
  const [first = ""] = silent;
  const who = silent.length === 1 && first.length > LONGEST_NAMES ? "an assistant" : names(silent);
  return `No answer yet from ${who}. ${silent.length > 1 ? "They" : "It"} may go on talking.`;
}

/** What is said of a change of the pause that failed. */
export function failureOfPause(kind: PauseChange["kind"], reason: string): string {
  return `${kind === "pause" ? "Not paused." : "Still paused."} ${reason}`;
}

/** Whoever paused it themselves needs no name. */
function byWhom({ paused_by: author }: TalkStatus): string {
  if (author === undefined || author.is_you) return "";
  return ` by ${isolated(authorName(author)).replace(/^Another/u, "another")}`;
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
