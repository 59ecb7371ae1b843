import { sentenceOf } from "../api/problem";

/** What is shown in place of the days when they cannot be loaded. */
export function loadMetricsSentence(error: unknown): string {
  return `Error loading the days: ${sentenceOf(error, "An unknown error occurred.")}`;
}

export function loadSentence(error: unknown): string {
  return `Error loading summary: ${sentenceOf(error, "An unknown error occurred while fetching the summary.")}`;
}
