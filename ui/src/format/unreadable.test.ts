import { expect, test } from "vitest";

import { unreadableSentence } from "./unreadable";

test.each([
  [0, "message", null],
  [1, "message", "1 message could not be read"],
  [2, "message", "2 messages could not be read"],
  [1, "session", "1 conversation could not be read"],
  [12, "session", "12 conversations could not be read"],
  [1, "activity", "1 activity could not be read"],
  [500, "activity", "500 activities could not be read"],
] as const)("%i of a %s", (count, kind, sentence) => {
  expect(unreadableSentence(count, kind)).toBe(sentence);
});
