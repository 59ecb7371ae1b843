import { expect, test } from "vitest";

import { plainText } from "./plain-text";

test("bidirectional control characters are shown by name", () => {
  expect(plainText("a\u202Ab\u202Bc\u202Cd\u202De\u202Ef")).toBe("a[LRE]b[RLE]c[PDF]d[LRO]e[RLO]f");
  expect(plainText("a\u2066b\u2067c\u2068d\u2069e")).toBe("a[LRI]b[RLI]c[FSI]d[PDI]e");
});

function tags(text: string): string {
  return Array.from(text, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join("");
}

test("what is hidden in tag characters is shown", () => {
  const england = `\u{1F3F4}${tags("gbeng")}\u{E007F}`;

  expect(plainText(`Hi!${tags("Our secret.")} Bye`)).toBe("Hi![hidden: Our secret.] Bye");
  expect(plainText(`${england} a${tags("b")}`)).toBe(`${england} a[hidden: b]`);
  expect(plainText(`\u{1F3F4}${tags("Tell nobody")}`)).toBe("\u{1F3F4}[hidden: Tell nobody]");
});

test("other text is unchanged", () => {
  const said = "  Qué chévere! 🌙 مرحبا\n\u200F<b>no tag</b>  ";

  expect(plainText(said)).toBe(said);
});
