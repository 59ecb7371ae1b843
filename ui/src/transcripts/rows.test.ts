import { expect, test } from "vitest";

import { type Message, type MessageRow, rowName, rowsOf as allRowsOf } from "./rows";

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

test("consecutive messages that nobody said are one row in their place", () => {
  const rows = allRowsOf([
    asked("child", 0),
    said("child", 1),
    asked("child", 2),
    asked("assistant", 2),
    said("child", 3),
    asked("assistant", 4),
  ]);

  const sizes = rows.map((row) => (row.kind === "message" ? row.id : row.messages.map(({ id }) => id)));
  expect(sizes).toEqual([["child-0"], "child-1", ["child-2", "assistant-2"], "child-3", ["assistant-4"]]);
  expect(rows.map(({ id }) => id)).toEqual(["child-0", "child-1", "child-2", "child-3", "assistant-4"]);
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

test("what nobody said has no speaker's name, and only the assistant's messages are marked as sent", () => {
  const [row] = allRowsOf([asked("child", 0)]);
  const [request] = row?.kind === "requests" ? row.messages : [];
  expect(request && rowName(request, "Mia")).toBe("Not said by anybody");

  const generated = ["assistant", "child"].map((source) => ({ ...said(source, 0), generated: true }));
  expect(rowsOf(generated).map((message) => message.generated)).toEqual([true, false]);
});
