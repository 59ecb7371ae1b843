import { plainText } from "./plain-text";

/** Splits a text at its marked ranges: start and end in UTF-16 units. */
export function partsOf(text: string, ranges: readonly (readonly number[])[]) {
  const parts: { text: string; marked: boolean }[] = [];
  let end = 0;
  const add = (from: number, to: number, marked: boolean) => {
    if (to > from) parts.push({ text: plainText(text.slice(from, to)), marked });
    end = Math.max(end, to);
  };
  for (const [from = 0, to = 0] of ranges) {
    add(end, from, false);
    add(from, to, true);
  }
  add(end, text.length, false);
  return parts;
}
