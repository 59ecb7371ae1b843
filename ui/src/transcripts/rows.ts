import type { components } from "../api/generated/schema";
import { dayAndTime, sameDay, timeOfDay } from "../format/dates";
import { plainText } from "../format/plain-text";

export type Message = components["schemas"]["Message"];

export interface Row {
  id: string;
  /** The speaker's label as delivered; 'unknown' when there is none. */
  speaker: string;
  side: "left" | "right";
  /** The first of consecutive messages of one speaker, which shows the speaker's name. */
  startsRun: boolean;
  timestamp: string;
  /** Set for the first message, after a pause and on a new day. */
  shownTime: string | null;
  /** Empty if it is only white space. */
  text: string;
  interrupted: boolean;
  /** The recognised voice; empty if not reported. */
  voice: string;
}

/** The voice assistant's label; its messages are on the left, all others on the right. */
const ASSISTANT = "assistant";
/** The label of the child whose session it is. */
const CHILD = "child";

/** The time is shown after a silence of this length. */
const PAUSE_MS = 5 * 60_000;

/** `messages` are oldest first. */
export function rowsOf(messages: readonly Message[]): Row[] {
  return messages.map((message, index) => rowOf(message, messages[index - 1]));
}

function rowOf(message: Message, before: Message | undefined): Row {
  const {
    message_id: id,
    timestamp,
    text_content: text = "",
    interrupted = false,
    speaker: voice = "",
  } = message;
  const shownTime = shownTimeOf(message, before);
  const speaker = speakerOf(message);
  return {
    id,
    speaker,
    side: speaker === ASSISTANT ? "left" : "right",
    startsRun: before === undefined || shownTime !== null || speakerOf(before) !== speaker,
    timestamp,
    shownTime,
    text: text.trim() === "" ? "" : plainText(text),
    interrupted,
    voice: plainText(voice).trim(),
  };
}

function speakerOf({ source = "" }: Message): string {
  return source === "" ? "unknown" : plainText(source);
}

/** The child's name, or the label of another speaker. */
export function speakerName(speaker: string, childName: string): string {
  return speaker === CHILD ? childName : speaker;
}

/** Capitalises labels, but not the child's name. */
export function speakerClass(speaker: string): string {
  return speaker === CHILD ? "" : "first-letter:uppercase";
}

function shownTimeOf(message: Message, before: Message | undefined): string | null {
  if (before === undefined || !sameDay(before.timestamp, message.timestamp))
    return dayAndTime(message.timestamp);
  const silence = Date.parse(message.timestamp) - Date.parse(before.timestamp);
  return silence >= PAUSE_MS ? timeOfDay(message.timestamp) : null;
}
