import type { components } from "../api/generated/schema";
import { dayAndTime, sameDay, timeOfDay } from "../format/dates";

export type Message = components["schemas"]["Message"];

/** One message as it stands in the conversation. */
export interface Row {
  message: Message;
  /** The speaker's label as delivered; 'unknown' when there is none. */
  speaker: string;
  side: "left" | "right";
  /** The first of a run of messages of one speaker carries the speaker's name. */
  startsRun: boolean;
  /** When this was said, where that tells something: at the start, after a pause, on a new day. */
  moment: string | null;
}

/** The voice assistant's own label; it speaks from the left, everybody else from the right. */
const ASSISTANT = "assistant";

/** A silence of this length is worth a word. */
const PAUSE_MS = 5 * 60_000;

/**
 * The row that was last made of a message, and the message that stood before it. A conversation grows by a page at a
 * time and is asked for again while it lasts; what stands as it stood keeps its row, so that nothing is drawn again.
 */
const lastRow = new WeakMap<Message, { before: Message | undefined; row: Row }>();

/** Lays out messages, oldest first, as a conversation. */
export function rowsOf(messages: readonly Message[]): Row[] {
  return messages.map((message, index) => {
    const before = messages[index - 1];
    const last = lastRow.get(message);
    if (last !== undefined && last.before === before) return last.row;
    const row = rowOf(message, before);
    lastRow.set(message, { before, row });
    return row;
  });
}

function rowOf(message: Message, before: Message | undefined): Row {
  const moment = momentOf(message, before);
  const speaker = speakerOf(message);
  return {
    message,
    speaker,
    side: speaker === ASSISTANT ? "left" : "right",
    startsRun: before === undefined || moment !== null || speakerOf(before) !== speaker,
    moment,
  };
}

function speakerOf(message: Message): string {
  return message.source === undefined || message.source === "" ? "unknown" : message.source;
}

function momentOf(message: Message, before: Message | undefined): string | null {
  if (before === undefined || !sameDay(before.timestamp, message.timestamp))
    return dayAndTime(message.timestamp);
  const silence = Date.parse(message.timestamp) - Date.parse(before.timestamp);
  return silence >= PAUSE_MS ? timeOfDay(message.timestamp) : null;
}
