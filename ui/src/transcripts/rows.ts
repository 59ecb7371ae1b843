import type { components } from "../api/generated/schema";
import { dayAndTime, sameDay, timeOfDay } from "../format/dates";
import { plainText } from "../format/plain-text";
import { labelled } from "../format/labelled";
import { ASSISTANT, type MessageKind, messageName, speakerOf } from "../format/speaker";

export type Message = components["schemas"]["Message"];

export type Row = MessageRow | FoldRow;

export interface MessageRow {
  kind: "message";
  id: string;
  /** What it is, if it was not said in the conversation. */
  unsaid: MessageKind | undefined;
  /** The speaker's label as delivered; 'unknown' when there is none. */
  speaker: string;
  /** The assistant's messages are on the left, all others on the right. */
  side: "left" | "right";
  /** The first of consecutive messages of one speaker, which shows the speaker's name. */
  startsRun: boolean;
  timestamp: string;
  /** Set for the first message, after a pause and on a new day. */
  shownTime: string | null;
  /** Up to where it was heard, if it was interrupted. Empty if it is only white space. */
  text: string;
  /** The rest of an interrupted message; empty if `text` is all of it. */
  notHeard: string;
  /** All of it as it was delivered, which ranges refer to. */
  exact: string;
  interrupted: boolean;
  /** Whether it was sent to the app, and it is not known yet whether it was heard. */
  generated: boolean;
  /** Whether the app wrote it in the assistant's name. */
  fromApp: boolean;
  /** Whether it is a model's call of a tool: the tool's name and its arguments. */
  isToolCall: boolean;
  /** The recognised voice; empty if not reported. */
  voice: string;
  /** What it said before it was corrected, oldest first. */
  earlier: NonNullable<Message["earlier"]>;
}

/** Consecutive messages of one kind that were not said in the conversation. */
export interface FoldRow {
  kind: "fold";
  /** Differs from the first message's id. */
  id: string;
  unsaid: MessageKind;
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
    const { kind } = message;
    if (kind === undefined) {
      const row = rowOf(message, before);
      rows.push(last?.kind === "fold" ? { ...row, startsRun: true } : row);
      before = message;
    } else if (last?.kind === "fold" && last.unsaid === kind) {
      last.messages.push(rowOf(message, beforeFolded));
      beforeFolded = message;
    } else {
      const first = { ...rowOf(message, before), startsRun: true };
      rows.push({ kind: "fold", id: `fold ${first.id}`, unsaid: kind, messages: [first] });
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
    heard = text.length,
    from_app: fromApp = false,
    event_type: eventType,
    kind,
    speaker: voice = "",
    earlier = [],
  } = message;
  // Only the app's own requests have a time of their own.
  const shownTime = kind === undefined || kind === "background" ? shownTimeOf(message, before) : null;
  const speaker = speakerOf(message.source);
  const notHeard = textOf(text.slice(heard));
  return {
    kind: "message",
    id,
    unsaid: kind,
    speaker,
    side: speaker === ASSISTANT ? "left" : "right",
    startsRun: before === undefined || shownTime !== null || speakerOf(before.source) !== speaker,
    timestamp,
    shownTime,
    text: textOf(notHeard === "" ? text : text.slice(0, heard)),
    notHeard,
    exact: text,
    interrupted: interrupted || notHeard !== "",
    generated: generated && speaker === ASSISTANT,
    fromApp,
    isToolCall: eventType === "tool_call",
    voice: plainText(voice).trim(),
    earlier,
  };
}

function textOf(text: string): string {
  return text.trim() === "" ? "" : plainText(text);
}

/** The rows with the messages of each open fold after it. A fold is open if one of its messages is in `opened`. */
export function withOpenFolds(rows: readonly Row[], opened: ReadonlySet<string>): Row[] {
  return rows.flatMap((row) => (row.kind === "fold" && isOpen(row, opened) ? [row, ...row.messages] : [row]));
}

/** A fold can get earlier messages when a page before it is loaded, so it is known by each of its messages. */
export function isOpen(row: FoldRow, opened: ReadonlySet<string>): boolean {
  return row.messages.some(({ id }) => opened.has(id));
}

/** Whether somebody said it, or might have. */
export function isBubble({ unsaid }: MessageRow): boolean {
  return unsaid === undefined || unsaid === "earlier" || unsaid === "background";
}

/** Whether a row is a message, or a fold that contains it. */
export function hasMessage(row: Row, id: string): boolean {
  return row.kind === "message" ? row.id === id : row.messages.some((message) => message.id === id);
}

/** At most this many characters of what was just said are read out by a screen reader. */
const LONGEST_ANNOUNCEMENT = 300;

/** What a screen reader reads out when messages are added to an open conversation. */
export function announcement(added: readonly Row[], childName: string): string {
  const words = added
    .filter((row) => row.kind === "message")
    .filter((row) => !row.isToolCall)
    .map((row) => labelled(messageName(row, childName), row.text))
    .join(" ");
  return words.length <= LONGEST_ANNOUNCEMENT ? words : `${words.slice(0, LONGEST_ANNOUNCEMENT)}…`;
}

function shownTimeOf(message: Message, before: Message | undefined): string | null {
  if (before === undefined || !sameDay(before.timestamp, message.timestamp))
    return dayAndTime(message.timestamp);
  const silence = Date.parse(message.timestamp) - Date.parse(before.timestamp);
  return silence >= PAUSE_MS ? timeOfDay(message.timestamp) : null;
}
