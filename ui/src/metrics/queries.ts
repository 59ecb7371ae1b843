import { sentenceOf } from "../api/problem";

export function loadSentence(error: unknown): string {
  return `Error loading metrics: ${sentenceOf(error, "An unknown error occurred while fetching the metrics.")}`;
}
