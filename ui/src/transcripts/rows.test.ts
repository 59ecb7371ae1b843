import { expect, test } from "vitest";

import { type Message, rowsOf } from "./rows";

/** Says something at a minute of an evening. */
function said(source: string | undefined, minute: number): Message {
  return {
    message_id: `${source}-${minute}`,
    timestamp: new Date(2026, 10, 21, 20, minute).toISOString(),
    ...(source !== undefined && { source }),
  };
}

test("the assistant speaks from the left, everybody else from the right", () => {
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

  expect(rows.map(({ moment }) => moment !== null)).toEqual([true, false, true, true]);
  expect(rows.map(({ startsRun }) => startsRun)).toEqual([true, false, true, true]);
  expect(rows[0]?.moment).toContain("November");
  expect(rows[2]?.moment).not.toContain("November");
  expect(rows[3]?.moment).toContain("22");
});

test("no messages make no rows", () => {
  expect(rowsOf([])).toEqual([]);
});

test("a message that stands as it stood keeps its row, so that it is not drawn again", () => {
  const messages = [said("child", 0), said("assistant", 1), said("assistant", 2)];
  const rows = rowsOf(messages);

  const [first, , third] = messages;
  const grown = rowsOf([...messages, said("child", 3)]);
  const late = rowsOf([first, said("child", 1), third].filter((message) => message !== undefined));

  expect(grown.slice(0, 3).every((row, index) => row === rows[index])).toBe(true);
  expect(late[0]).toBe(rows[0]);
  expect(late[2]).toMatchObject({ startsRun: true });
});
