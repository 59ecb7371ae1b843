import { expect, test } from "vitest";

import { plainText } from "./plain-text";

test("bidirectional control characters are shown by name", () => {
  expect(plainText("a\u202Ab\u202Bc\u202Cd\u202De\u202Ef")).toBe("a[LRE]b[RLE]c[PDF]d[LRO]e[RLO]f");
  expect(plainText("a\u2066b\u2067c\u2068d\u2069e")).toBe("a[LRI]b[RLI]c[FSI]d[PDI]e");
});

test("other text is unchanged", () => {
  const said = "  Qué chévere! 🌙 مرحبا\n\u200F<b>no tag</b>  ";

  expect(plainText(said)).toBe(said);
});
