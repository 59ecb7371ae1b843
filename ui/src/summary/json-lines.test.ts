import { expect, test } from "vitest";

import { isEmpty, linesOf, textOf } from "./json-lines";

test.each([
  ["an object", { sessions: 12, minutes: 90.5, last: { topic: "Moon" } }],
  ["a list", [1, "two", [3], { four: 4 }]],
  ["empty things", { a: {}, b: [], c: "", d: null }],
  ["literals", { yes: true, no: false, none: null }],
  ["quotes and line ends", { 'a "key"': 'a "word"\n\\ \t' }],
  ["other scripts", { المزاج: "سعيد", "🌙": "👩‍🚀" }],
  ["a word alone", "word"],
])("%s is set as JSON formats it", (_what, value) => {
  expect(textOf(linesOf(value))).toBe(JSON.stringify(value, null, 2));
});

test("each piece is named for what it is", () => {
  const tokens = linesOf({ topic: "Moon", times: 2, done: true }).flatMap((line) => line.tokens);

  const named = (kind: string) => tokens.filter((token) => token.kind === kind).map(({ text }) => text);
  expect(named("key")).toEqual(['"topic"', '"times"', '"done"']);
  expect(named("string")).toEqual(['"Moon"']);
  expect(named("number")).toEqual(["2"]);
  expect(named("literal")).toEqual(["true"]);
});

test("characters that turn a text's direction are written as escapes, and mean the same", () => {
  const value = { "a\u202Eb": "c\u2066d" };

  const text = textOf(linesOf(value));

  expect(text).toContain(String.raw`"a\u202eb": "c\u2066d"`);
  expect(JSON.parse(text)).toEqual(value);
});

test.each([
  [null, true],
  [undefined, true],
  [{}, true],
  [[], true],
  ["", true],
  [{ sessions: 0 }, false],
  [[0], false],
  [0, false],
  [false, false],
])("whether %j is an empty summary: %s", (value, empty) => {
  expect(isEmpty(value)).toBe(empty);
});
