import type { Match } from "./use-search";
import { partsOf as partsOfText } from "../format/marks";
import type { Part } from "../ui/Marked";

/** Splits a match's text at its marked words. */
export function partsOf({ text_content: text = "", ranges }: Match): Part[] {
  return partsOfText(text, ranges);
}

/** The number of UTF-16 units shown before the first marked word. */
const BEFORE = 40;

/** The parts from shortly before the first marked word, so that it is visible in a result of a few lines. */
export function excerptOf(match: Match): Part[] {
  const parts = partsOf(match);
  const [first] = parts;
  if (first === undefined || first.marked || parts.length === 1 || first.text.length <= BEFORE) return parts;
  const space = first.text.indexOf(" ", first.text.length - BEFORE);
  const from = space === -1 ? first.text.length - BEFORE : space + 1;
  return [{ text: `…${first.text.slice(from)}`, marked: false }, ...parts.slice(1)];
}

/** Splits the parts of a text at `at`, in UTF-16 units. */
export function splitParts(parts: readonly Part[], at: number): [Part[], Part[]] {
  let start = 0;
  const [before, after]: [Part[], Part[]] = [[], []];
  for (const part of parts) {
    const cut = Math.max(0, at - start);
    start += part.text.length;
    if (cut > 0) before.push({ ...part, text: part.text.slice(0, cut) });
    if (cut < part.text.length) after.push({ ...part, text: part.text.slice(cut) });
  }
  return [before, after];
}
