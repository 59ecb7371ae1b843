/**
 * What may be blocked: the rules of the specification's sections 5 and 9. The server has the same ones in Rust; both run
 * `tests/blocked-topics-cases.json`.
 */
import { t } from "@lingui/core/macro";

import { lengthOf } from "../format/length";
import { mandatoryTopics, suggestedTopics, topicName } from "../rules/standard-topics";

export { mandatoryTopics, suggestedTopics };

/** Words that would block nearly everything. */
export const tooGeneral: readonly string[] = ["the", "a", "is", "and", "or", "it", "to", "in", "on"];

/** In characters, counted by `lengthOf`. */
export const MIN_LENGTH = 3;
export const MAX_LENGTH = 200;
/** The most topics of a child, without the mandatory ones. */
export const MAX_TOPICS = 500;

/** Why a change is not allowed, and how long the message is shown. */
export interface Refusal {
  sentence: string;
  seconds: number;
}

/** The text for comparisons that ignore case. */
export function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

const mandatoryFolded: ReadonlySet<string> = new Set(mandatoryTopics.map(foldCase));

export function isMandatory(topic: string): boolean {
  return mandatoryFolded.has(foldCase(topic));
}

export function isAmong(topics: readonly string[], topic: string): boolean {
  const wanted = foldCase(topic);
  return topics.some((other) => foldCase(other) === wanted);
}

/** Why a topic, trimmed and not empty, can't be added to these; null if it can. The order of the checks is the product's. */
export function refusalToAdd(topic: string, own: readonly string[]): Refusal | null {
  if (isMandatory(topic))
    return { sentence: t`"${topic}" is always blocked and cannot be added manually.`, seconds: 4 };
  if (isAmong(own, topic)) return { sentence: t`"${topic}" is already in your blocked list.`, seconds: 3 };
  const length = lengthOf(topic);
  if (length < MIN_LENGTH) return { sentence: t`"${topic}" is too short.`, seconds: 3 };
  if (tooGeneral.includes(foldCase(topic))) return { sentence: t`"${topic}" is too general.`, seconds: 3 };
  if (length > MAX_LENGTH)
    return { sentence: t`A topic can have at most ${{ most: MAX_LENGTH }} characters.`, seconds: 3 };
  if (own.length >= MAX_TOPICS)
    return { sentence: t`At most ${{ most: MAX_TOPICS }} topics can be blocked.`, seconds: 3 };
  return null;
}

/** Why a topic can't be removed; null if it can. */
export function refusalToRemove(topic: string): Refusal | null {
  if (!isMandatory(topic)) return null;
  return {
    sentence: t`"${{ topic: topicName(topic) }}" is always blocked and cannot be removed.`,
    seconds: 4,
  };
}

/** The suggestions that are not blocked yet. */
export function remainingSuggestions(own: readonly string[]): string[] {
  const blocked = new Set(own.map(foldCase));
  return suggestedTopics.filter((topic) => !blocked.has(foldCase(topic)));
}
