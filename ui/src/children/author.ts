import type { components } from "../api/generated/schema";
import { plainText } from "../format/plain-text";

type Author = components["schemas"]["Author"];

/** A guardian's name at the beginning of a sentence. */
export function authorName({ is_you: isYou, name }: Author): string {
  return isYou ? "You" : plainText(name ?? "").trim() || "Another guardian";
}

/** A guardian's name within a sentence; undefined is a former guardian. */
export function authorInSentence(author: Author | undefined): string {
  if (author === undefined) return "a former guardian";
  return author.is_you ? "you" : plainText(author.name ?? "").trim() || "another guardian";
}
