import { expect, test } from "vitest";

import { directionOf } from "./direction";

test.each([
  ["Mia", "ltr"],
  ["", "ltr"],
  ["123 🎈", "ltr"],
  ["محمد", "rtl"],
  ["„7 שרה", "rtl"],
  ["Mia محمد", "ltr"],
  ["王小明", "ltr"],
])("%j is read %s", (text, direction) => {
  expect(directionOf(text)).toBe(direction);
});
