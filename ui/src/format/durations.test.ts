import { expect, test } from "vitest";

import { duration } from "./durations";

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
