import { t } from "@lingui/core/macro";

/** The invisible bidirectional control characters, which can change the meaning of a sentence. */
const names: Readonly<Record<string, string>> = {
  "\u202A": "LRE",
  "\u202B": "RLE",
  "\u202C": "PDF",
  "\u202D": "LRO",
  "\u202E": "RLO",
  "\u2066": "LRI",
  "\u2067": "RLI",
  "\u2068": "FSI",
  "\u2069": "PDI",
};

/** Unicode's tag characters, which nobody sees and models read as text. */
const TAGS = /[\u{E0020}-\u{E007E}]+/gu;

/** The flags of England, Scotland and Wales are spelled with them. */
const FLAG =
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/u;

const FLAGS = new RegExp(`(${FLAG.source})`, "u");

/** Replaces bidirectional control characters and tags with visible ones, so that a text reads as it was said. */
export function plainText(text: string): string {
  return text
    .replaceAll(/[\u202A-\u202E\u2066-\u2069]/gu, (character) => `[${names[character] ?? ""}]`)
    .split(FLAGS)
    .map((part) =>
      FLAG.test(part) ? part : part.replaceAll(TAGS, (tags) => t`[hidden: ${{ text: letters(tags) }}]`),
    )
    .join("");
}

function letters(tags: string): string {
  return Array.from(tags, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000)).join("");
}
