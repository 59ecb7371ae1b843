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

/** Replaces bidirectional control characters with visible names, so that a text reads as it was said. */
export function plainText(text: string): string {
  return text.replaceAll(/[\u202A-\u202E\u2066-\u2069]/gu, (character) => `[${names[character] ?? ""}]`);
}
