import type { Match } from "./use-search";
import { plainText } from "../format/plain-text";

/** A part of a text, and whether it is a marked search word. */
export interface Part {
  text: string;
  marked: boolean;
}

/** Splits a match's text at its marked words. */
export function partsOf({ text_content: text = "", ranges }: Match): Part[] {
  const parts: Part[] = [];
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
