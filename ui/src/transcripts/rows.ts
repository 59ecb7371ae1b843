import type { components } from "../api/generated/schema";
import { dayAndTime, sameDay, timeOfDay } from "../format/dates";
import { plainText } from "../format/plain-text";
import { ASSISTANT, speakerName, speakerOf } from "../format/speaker";

export type Message = components["schemas"]["Message"];

export type Row = MessageRow | RequestsRow;

export interface MessageRow {
  kind: "message";
  id: string;
  /** The speaker's label as delivered; 'unknown' when there is none. */
  speaker: string;
  /** The assistant's messages are on the left, all others on the right. */
  side: "left" | "right";
  /** The first of consecutive messages of one speaker, which shows the speaker's name. */
  startsRun: boolean;
  timestamp: string;
  /** Set for the first message, after a pause and on a new day. */
  shownTime: string | null;
  /** Empty if it is only white space. */
  text: string;
  interrupted: boolean;
  /** Whether it was sent to the app, and it is not known yet whether it was heard. */
  generated: boolean;
  /** Whether nobody said it. */
  background: boolean;
  /** The recognised voice; empty if not reported. */
  voice: string;
}

/** Consecutive messages that nobody said. */
export interface RequestsRow {
  kind: "requests";
  /** The first message's id. */
  id: string;
  messages: MessageRow[];
}

/** The time is shown after a silence of this length. */
const PAUSE_MS = 5 * 60_000;

/** `messages` are oldest first. */
export function rowsOf(messages: readonly Message[]): Row[] {
  const rows: Row[] = [];
  let before: Message | undefined;
  let beforeFolded: Message | undefined;
  for (const message of messages) {
    const last = rows.at(-1);
    if (message.kind === undefined) {
      const row = rowOf(message, before);
      rows.push(last?.kind === "requests" ? { ...row, startsRun: true } : row);
      before = message;
    } else if (last?.kind === "requests") {
      last.messages.push(rowOf(message, beforeFolded));
      beforeFolded = message;
    } else {
      const first = { ...rowOf(message, before), startsRun: true };
      rows.push({ kind: "requests", id: first.id, messages: [first] });
      beforeFolded = message;
    }
  }
  return rows;
}

function rowOf(message: Message, before: Message | undefined): MessageRow {
  const {
    message_id: id,
    timestamp,
    text_content: text = "",
    interrupted = false,
    generated = false,
    kind,
    speaker: voice = "",
  } = message;
  const shownTime = shownTimeOf(message, before);
  const speaker = speakerOf(message.source);
  return {
    kind: "message",
    id,
    speaker,
    side: speaker === ASSISTANT ? "left" : "right",
    startsRun: before === undefined || shownTime !== null || speakerOf(before.source) !== speaker,
    timestamp,
    shownTime,
    text: text.trim() === "" ? "" : plainText(text),
    interrupted,
    generated: generated && speaker === ASSISTANT,
    background: kind !== undefined,
    voice: plainText(voice).trim(),
  };
}

/** The name above a message. */
export function rowName({ speaker, background }: MessageRow, childName: string): string {
  return background ? "Not said by anybody" : speakerName(speaker, childName);
}

/** At most this many characters of what was just said are read out by a screen reader. */
const LONGEST_ANNOUNCEMENT = 300;

/** What a screen reader reads out when messages are added to an open conversation. */
export function announcement(added: readonly Row[], childName: string): string {
  const said = added.filter((row) => row.kind === "message");
  const words = said.map((row) => `${rowName(row, childName)}: ${row.text}`).join(" ");
  return words.length <= LONGEST_ANNOUNCEMENT ? words : `${words.slice(0, LONGEST_ANNOUNCEMENT)}…`;
}

function shownTimeOf(message: Message, before: Message | undefined): string | null {
  if (before === undefined || !sameDay(before.timestamp, message.timestamp))
    return dayAndTime(message.timestamp);
  const silence = Date.parse(message.timestamp) - Date.parse(before.timestamp);
  return silence >= PAUSE_MS ? timeOfDay(message.timestamp) : null;
}
