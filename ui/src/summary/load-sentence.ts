import { sentenceOf } from "../api/problem";

/** Why the summary can't be shown. */
export function loadSentence(error: unknown): string {
  return `Error loading summary: ${sentenceOf(error, "An unknown error occurred while fetching the summary.")}`;
}
