import { sentenceOf } from "../api/problem";

export function loadSentence(error: unknown): string {
  return `Error loading summary: ${sentenceOf(error, "An unknown error occurred while fetching the summary.")}`;
}
