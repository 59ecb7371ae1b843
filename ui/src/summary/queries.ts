import { errorMessage } from "../api/problem";

export function loadMetricsSentence(error: unknown): string {
  return `Error loading the days: ${errorMessage(error, "An unknown error occurred.")}`;
}

export function loadSentence(error: unknown): string {
  return `Error loading summary: ${errorMessage(error, "An unknown error occurred while fetching the summary.")}`;
}
