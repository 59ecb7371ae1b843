import { expect, test } from "vitest";

import { unreadableSentence } from "./unreadable";

test.each([
  [0, "message", null],
  [1, "message", "1 message could not be read"],
  [2, "message", "2 messages could not be read"],
  [12, "record", "12 records could not be read"],
  [1, "record", "1 record could not be read"],
  [500, "record", "500 records could not be read"],
] as const)("%i of a %s", (count, kind, sentence) => {
  expect(unreadableSentence(count, kind)).toBe(sentence);
});
