import { expect, test } from "vitest";

import { foldHeading } from "./Fold";
import {
  type FoldRow,
  type Message,
  type MessageRow,
  announcement,
  isOpen,
  rowsOf as allRowsOf,
  withOpenFolds,
} from "./rows";
import type { MessageKind } from "../format/speaker";

/** The rows of messages of which none is folded. */
function rowsOf(messages: readonly Message[]): MessageRow[] {
  return allRowsOf(messages).filter((row) => row.kind === "message");
}

/** A message at this minute of an evening. */
function said(source: string | undefined, minute: number): Message {
  return {
    message_id: `${source}-${minute}`,
    timestamp: new Date(2026, 10, 21, 20, minute).toISOString(),
    ...(source !== undefined && { source }),
  };
}

test("the assistant's messages are on the left, all others on the right", () => {
  const rows = rowsOf([said("assistant", 0), said("child", 0), said("Assistant", 0), said(undefined, 0)]);

  expect(rows.map(({ speaker, side }) => `${speaker} ${side}`)).toEqual([
    "assistant left",
    "child right",
    "Assistant right",
    "unknown right",
  ]);
});

test("consecutive messages of one speaker are one run", () => {
  const rows = rowsOf([
    said("child", 0),
    said("child", 1),
    said("assistant", 1),
    said(undefined, 2),
    said("", 2),
  ]);

  expect(rows.map(({ startsRun }) => startsRun)).toEqual([true, false, true, true, false]);
});

test("the time is shown at the start, after five silent minutes and on a new day, and starts a run", () => {
  const rows = rowsOf([said("child", 0), said("child", 4), said("child", 9), said("child", 60 * 5)]);

  expect(rows.map(({ shownTime }) => shownTime !== null)).toEqual([true, false, true, true]);
  expect(rows.map(({ startsRun }) => startsRun)).toEqual([true, false, true, true]);
  expect(rows[0]?.shownTime).toContain("Nov 2");
  expect(rows[2]?.shownTime).not.toContain("Nov 2");
  expect(rows[3]?.shownTime).toContain("22");
});

test("whose voice it was is a trimmed line of plain text", () => {
  const voices = [undefined, "  ", " Mia\n"].map((speaker) => ({
    ...said("child", 0),
    ...(speaker !== undefined && { speaker }),
  }));

  expect(rowsOf(voices).map(({ voice }) => voice)).toEqual(["", "", "Mia"]);
});

test("no messages make no rows", () => {
  expect(rowsOf([])).toEqual([]);
});

function asked(source: string, minute: number): Message {
  return { ...said(source, minute), kind: "background" };
}

/** The folds among the rows. */
function foldsOf(messages: readonly Message[]): FoldRow[] {
  return allRowsOf(messages).filter((row) => row.kind === "fold");
}

function unsaid(kind: MessageKind, ...messages: Message[]): Message[] {
  return messages.map((message) => ({ ...message, kind }));
}

test("consecutive messages of one kind that were not said are one row in their place", () => {
  const rows = allRowsOf([
    ...unsaid("instructions", said("app", 0)),
    ...unsaid("earlier", said("child", 0), said("assistant", 0)),
    said("child", 1),
    ...unsaid("reasoning", said("assistant", 2)),
    said("assistant", 3),
    ...unsaid("background", said("child", 4)),
  ]);

  expect(rows.map((row) => (row.kind === "message" ? row.id : row.messages.map(({ id }) => id)))).toEqual([
    ["app-0"],
    ["child-0", "assistant-0"],
    "child-1",
    ["assistant-2"],
    "assistant-3",
    ["child-4"],
  ]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});

test.each<[MessageKind, string, string]>([
  [
    "background",
    "1 message in a request that looks like the app's own",
    "2 messages in a request that looks like the app's own",
  ],
  ["earlier", "1 message said earlier", "2 messages said earlier"],
  [
    "instructions",
    "Instructions sent with the request. Anyone who can change the app's settings can write these.",
    "Instructions sent with the request (2). Anyone who can change the app's settings can write these.",
  ],
  ["reasoning", "The AI's working notes", "The AI's working notes (2)"],
  ["tool", "What a tool answered", "What a tool answered (2)"],
])("a fold of %s has a heading with its count", (kind, one, two) => {
  const messages = unsaid(kind, said("child", 0), said("child", 1));

  const headings = [messages.slice(1), messages].flatMap(foldsOf).map(foldHeading);
  expect(headings).toEqual([one, two]);
});

test("a fold is open if one of its messages was opened, also after earlier ones were added to it", () => {
  const [first, second, third] = unsaid("earlier", said("child", 0), said("child", 1), said("child", 2));
  if (first === undefined || second === undefined || third === undefined) throw new Error("Not reached.");
  const opened = new Set([second.message_id]);

  const [fold] = foldsOf([second, third]);
  const [longer] = foldsOf([first, second, third]);
  expect([fold, longer].map((row) => row !== undefined && isOpen(row, opened))).toEqual([true, true]);
  expect(withOpenFolds(allRowsOf([first, second, third]), opened).slice(1)).toEqual(longer?.messages);
  expect(withOpenFolds(allRowsOf([first, second, third]), new Set())).toHaveLength(1);
});

test("what was said earlier has no time of its own", () => {
  const [fold] = foldsOf(unsaid("earlier", said("child", 0), said("assistant", 20)));

  expect(fold?.messages.map(({ shownTime, startsRun }) => [shownTime, startsRun])).toEqual([
    [null, true],
    [null, true],
  ]);
});

test.each([
  ["no heard part is given", {}, "One two", "", false],
  ["it was cut", { heard: 3, interrupted: true }, "One", " two", true],
  ["nothing was heard", { heard: 0, interrupted: true }, "", "One two", true],
  ["all was heard", { heard: 7, interrupted: true }, "One two", "", true],
  ["more was heard than there is", { heard: 9, interrupted: true }, "One two", "", true],
])("a message's text is what was heard of it: %s", (_, fields, text, notHeard, interrupted) => {
  const [row] = rowsOf([{ ...said("assistant", 0), text_content: "One two", ...fields }]);

  expect(row).toMatchObject({ text, notHeard, interrupted });
});

test("a tool's call and what was folded are not read out", () => {
  const rows = allRowsOf([
    { ...said("assistant", 0), text_content: 'search {"q": "owls"}', event_type: "tool_call" },
    ...unsaid("tool", { ...said("tool", 0), text_content: "Owls" }),
    { ...said("assistant", 0), text_content: "They can." },
  ]);

  expect(announcement(rows, "Mia")).toBe("assistant: They can.");
});

test("times and pauses are those of what was said, and a folded row starts a run", () => {
  const rows = allRowsOf([
    asked("child", 0),
    said("child", 1),
    asked("child", 8),
    said("child", 9),
    said("child", 9),
  ]);

  const shown = rows.map((row) => (row.kind === "message" ? row : row.messages[0]));
  expect(shown.map((row) => row?.shownTime !== null)).toEqual([true, true, true, true, false]);
  const again = rowsOf([said("child", 1), asked("child", 1), said("child", 2)]);
  expect(again.map(({ startsRun, shownTime }) => [startsRun, shownTime !== null])).toEqual([
    [true, true],
    [true, false],
  ]);
});

test("only the assistant's messages are marked as sent", () => {
  const generated = ["assistant", "child"].map((source) => ({ ...said(source, 0), generated: true }));
  expect(rowsOf(generated).map((message) => message.generated)).toEqual([true, false]);
});
