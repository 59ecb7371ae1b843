import type { QueryClient } from "@tanstack/react-query";

import { getGetSummaryQueryOptions } from "../api/generated/client/summary/summary";
import { sentenceOf } from "../api/problem";

export function prefetchSummary(queries: QueryClient, childId: number): void {
  void queries.prefetchQuery(getGetSummaryQueryOptions(childId));
}

export function loadSentence(error: unknown): string {
  return `Error loading summary: ${sentenceOf(error, "An unknown error occurred while fetching the summary.")}`;
}
