/** Watched phrases: their rules, which the server has too, and changes of the list. */
import { t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";
import { lengthOf } from "../format/length";

export type Phrase = components["schemas"]["WatchedPhrase"];
export type Side = Phrase["side"];

export const MOST_PHRASES = 30;

/** In characters. */
const SHORTEST = 2;
const LONGEST = 80;

export interface PhraseChange {
  kind: "watch" | "stop";
  phrase: Phrase;
}

function keyOf({ words, side }: Phrase): string {
  return `${side} ${words.trim().normalize("NFC").toLowerCase()}`;
}

export function isWatched(phrases: readonly Phrase[], phrase: Phrase): boolean {
  return phrases.some((other) => keyOf(other) === keyOf(phrase));
}

/** Watching a watched phrase and stopping an absent one have no effect. */
export function withChange(phrases: readonly Phrase[], { kind, phrase }: PhraseChange): Phrase[] {
  const others = phrases.filter((other) => keyOf(other) !== keyOf(phrase));
  if (kind === "stop") return others;
  return isWatched(phrases, phrase) ? [...phrases] : [...phrases, phrase];
}

/** Why words can't be tried or watched; null if they can. */
export function refusalOfWords(words: string): string | null {
  const length = lengthOf(words.trim());
  if (length < SHORTEST || length > LONGEST)
    return t`A phrase has ${{ least: SHORTEST }} to ${{ most: LONGEST }} characters.`;
  if (!/[\p{Alphabetic}\p{N}]/u.test(words)) return t`A phrase has at least one letter or digit.`;
  return null;
}

export function tooMany(): string {
  return t`You can watch at most ${{ count: MOST_PHRASES }} phrases for a child.`;
}

/** Why a valid phrase can't be added to the watched ones; null if it can. */
export function refusalToWatch(phrase: Phrase, watched: readonly Phrase[]): string | null {
  if (isWatched(watched, phrase)) return t`You watch for this already.`;
  if (watched.length >= MOST_PHRASES) return tooMany();
  return null;
}

/** A topic that may well be said as it stands. */
export function isShortTopic(topic: string): boolean {
  return refusalOfWords(topic) === null && topic.trim().split(/\s+/u).length <= 3;
}
