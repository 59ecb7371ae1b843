import { expect, test } from "vitest";

import {
  MOST_PHRASES,
  type Phrase,
  isShortTopic,
  refusalOfWords,
  refusalToWatch,
  withChange,
} from "./phrases";
import { languageOf, languages, startingLists } from "./starting-lists";

const either = (words: string): Phrase => ({ words, side: "either" });

test.each([
  ["", "A phrase has 2 to 80 characters."],
  [" a ", "A phrase has 2 to 80 characters."],
  ["e\u0301", "A phrase has 2 to 80 characters."],
  ["?!", "A phrase has at least one letter or digit."],
  ["a".repeat(81), "A phrase has 2 to 80 characters."],
  ["e\u0301".repeat(80), null],
  ["秘密", null],
])("%j: %s", (words, refusal) => {
  expect(refusalOfWords(words)).toBe(refusal);
});

test("a phrase is watched once, on each side, and at most 30 are", () => {
  const watched = [either("Our secret")];

  expect(refusalToWatch(either(" our SECRET"), watched)).toBe("You watch for this already.");
  expect(refusalToWatch({ words: "Our secret", side: "child" }, watched)).toBeNull();
  const many = Array.from({ length: MOST_PHRASES }, (_, index) => either(`phrase ${index}`));
  expect(refusalToWatch(either("one more"), many)).toBe("You can watch at most 30 phrases for a child.");
});

test("a change applies to any list", () => {
  const list = [either("one"), either("two")];

  expect(withChange(list, { kind: "stop", phrase: either("ONE") })).toEqual([either("two")]);
  expect(withChange(list, { kind: "watch", phrase: either("two") })).toEqual(list);
  expect(withChange(list, { kind: "watch", phrase: either("three") })).toEqual([...list, either("three")]);
  expect(withChange([], { kind: "stop", phrase: either("one") })).toEqual([]);
});

test.each([
  ["Sharks", true],
  ["Grandpa's illness", true],
  ["Political Ideologies and Partisan Politics", false],
  ["x", false],
])("%s can be watched for as it stands: %s", (topic, isShort) => {
  expect(isShortTopic(topic)).toBe(isShort);
});

test.each(Object.keys(languages))("the lists in %s are valid phrases, and fit beside others", (code) => {
  const phrases = startingLists(languageOf([code])).flatMap((list) => list.phrases);

  expect(phrases.map(({ words }) => refusalOfWords(words)).filter((refusal) => refusal !== null)).toEqual([]);
  expect(new Set(phrases.map(({ words }) => words)).size).toBe(phrases.length);
  expect(phrases.length).toBeLessThan(MOST_PHRASES);
});

test("the lists are in the first of the browser's languages that has some", () => {
  expect(languageOf(["tr", "de-AT", "en"])).toBe("de");
  expect(languageOf(["tr"])).toBe("en");
  expect(languageOf(["constructor"])).toBe("en");
});
