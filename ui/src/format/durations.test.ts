import { expect, test } from "vitest";

import { duration, inWords } from "./durations";

test.each([
  [0, "0 sec"],
  [1, "1 sec"],
  [29.4, "29 sec"],
  [59, "59 sec"],
  [59.6, "60 sec"],
  [60, "1 min"],
  [89, "1 min"],
  [90, "2 min"],
  [3600, "60 min"],
  [-1, "N/A"],
  [Number.NaN, "N/A"],
  [Number.POSITIVE_INFINITY, "N/A"],
  [null, "N/A"],
  [undefined, "N/A"],
])("%s seconds are shown as %s", (seconds, shown) => {
  expect(duration(seconds)).toBe(shown);
});

test.each([
  [0, "no time"],
  [1, "less than a minute"],
  [29, "less than a minute"],
  [30, "1 minute"],
  [89, "1 minute"],
  [150, "3 minutes"],
  [3600, "1 hour"],
  [3660, "1 hour 1 minute"],
  [7500, "2 hours 5 minutes"],
])("%i seconds are '%s'", (seconds, words) => {
  expect(inWords(seconds)).toBe(words);
});
