import type { components } from "../api/generated/schema";
import { plainText } from "../format/plain-text";

/** A guardian's name at the beginning of a sentence. */
export function authorName({ is_you: isYou, name }: components["schemas"]["Author"]): string {
  return isYou ? "You" : plainText(name ?? "").trim() || "Another guardian";
}
