import { expect, test } from "vitest";

import { type Message, rowsOf, speakerName } from "./rows";

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
  expect(rows[0]?.shownTime).toContain("November");
  expect(rows[2]?.shownTime).not.toContain("November");
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

test("only the child's label is replaced by its name", () => {
  expect(["child", "assistant", "Child", "unknown"].map((speaker) => speakerName(speaker, "Mia"))).toEqual([
    "Mia",
    "assistant",
    "Child",
    "unknown",
  ]);
});
