import { errorMessage } from "../api/problem";

export function loadSentence(error: unknown): string {
  return `Error loading metrics: ${errorMessage(error, "An unknown error occurred while fetching the metrics.")}`;
}
