import { expect, test } from "vitest";

import { helpTopicOf, languageOf, startingLists } from "./starting-lists";
import { isSaid } from "../test/phrase-matching";
import { harmless, harmlessElsewhere, worrying } from "../test/said-by-children";

test.each([
  ["hit me", "He hit me.", true],
  ["hit me", "a hitchhiking mermaid", false],
  ["hit me", "hit men", false],
  ["hit me", "he hits me", false],
  ["hit me", "hit and me", false],
  ["hit me", "HIT  ME", true],
  ["hit me", "They hit, me too", true],
  ["our secret", "It is our... secret!", true],
  ["our secret", "four secrets", false],
  ["don't tell", "Don’t tell anyone", true],
  ["cafe", "the CAFÉ", true],
  ["strasse", "Die Straße", true],
])("the server's rules: %j in %j is %s", (phrase, text, expected) => {
  expect(isSaid(phrase, text)).toBe(expected);
});

const [hurting, scared, secret] = startingLists("en").map(({ phrases }) => phrases);

const lists = [
  { title: "hurting", phrases: hurting ?? [], bad: worrying.hurting },
  { title: "scared", phrases: scared ?? [], bad: worrying.scared },
  { title: "secret", phrases: secret ?? [], bad: worrying.secret },
];

test("there are 300 different harmless sentences", () => {
  expect(new Set(harmless).size).toBe(300);
});

test("of 300 harmless sentences of a child four ring for the first list, none for the second and one for the third", () => {
  const ringing = lists.map(({ phrases }) => {
    const watched = phrases.filter(({ side }) => side !== "assistant");
    return harmless.filter((text) => watched.some(({ words }) => isSaid(words, text)));
  });

  expect(ringing).toEqual([
    [
      "I hate myself for selling that sword.",
      "I hate myself in that photo, my hair looks funny.",
      "I want to die my hair pink.",
      "I wish I was dead famous.",
    ],
    [],
    ["Don't tell your parents jokes that they know already."],
  ]);
});

test("'not even scared' doesn't ring", () => {
  const all = lists.flatMap(({ phrases }) => phrases);

  expect(all.filter(({ words }) => isSaid(words, "I'm not even scared."))).toEqual([]);
  expect(all.filter(({ words }) => isSaid(words, "I'm not scared to go home in the dark."))).toEqual([]);
});

// Words can't find more without ringing for a game. An AI reader understands what is meant.
test("of 20 worrying sentences each, at least this many ring", () => {
  const found = lists.map(
    ({ phrases, bad }) => bad.filter((text) => phrases.some(({ words }) => isSaid(words, text))).length,
  );

  expect(found).toEqual([12, 11, 7]);
});

test.each(["de", "fr", "es", "it", "nl"] as const)("harmless sentences in %s ring for nobody", (language) => {
  const watched = startingLists(language)
    .flatMap(({ phrases }) => phrases)
    .filter(({ side }) => side !== "assistant");

  const ringing = harmlessElsewhere[language].filter((text) =>
    watched.some(({ words }) => isSaid(words, text)),
  );
  expect(harmlessElsewhere[language].length).toBeGreaterThanOrEqual(14);
  expect(ringing).toEqual([]);
});

test.each([
  ["I want to die", "self_harm"],
  [" i hate MYSELF", "self_harm"],
  ["Papa schlägt mich", "scared"],
  ["our secret", null],
  ["sharks", null],
])("what a guardian can do about %j is about %s", (words, topic) => {
  expect(helpTopicOf({ words, side: "either" })).toBe(topic);
});

test("every language has three lists, of which the last watches the assistant, too", () => {
  const sides = ["en", "de", "fr", "es", "it", "nl"].map((code) =>
    startingLists(languageOf([code])).map(({ phrases }) => [...new Set(phrases.map(({ side }) => side))]),
  );

  for (const each of sides) expect(each).toEqual([["child"], ["child"], ["either", "assistant"]]);
});
