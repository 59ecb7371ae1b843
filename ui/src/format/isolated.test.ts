import { expect, test } from "vitest";

import { isolated } from "./isolated";

test.each([
  ["Mia", "Mia"],
  ["\u0644\u064A\u0644\u0649", "\u2068\u0644\u064A\u0644\u0649\u2069"],
  ["\u202EMia", "[RLO]Mia"],
])("%j within a sentence is %j", (name, words) => {
  expect(isolated(name)).toBe(words);
});
