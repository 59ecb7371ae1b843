import { expect, test } from "vitest";

import { countConversations, forHowLong, isShorter, retentionChoices, retentionName } from "./retention";

test("the choices have the specified names", () => {
  expect(retentionChoices.map(retentionName)).toEqual(["30 days", "90 days", "1 year", "For ever"]);
  expect(retentionChoices.map(forHowLong)).toEqual(["for 30 days", "for 90 days", "for 1 year", "for ever"]);
});

test.each([
  [30, 90, true],
  [365, null, true],
  [90, 30, false],
  [null, 365, false],
  [90, 90, false],
  [null, null, false],
] as const)("whether %s is shorter than %s: %s", (days, before, expected) => {
  expect(isShorter(days, before)).toBe(expected);
});

test("conversations are counted in words", () => {
  expect([0, 1, 1200].map(countConversations)).toEqual([
    "0 conversations",
    "1 conversation",
    "1,200 conversations",
  ]);
});
