import type { QueryClient } from "@tanstack/react-query";

import { getGetSummaryQueryOptions } from "../api/generated/client/summary/summary";

/** Asks for what the summary page will ask for. */
export function prefetchSummary(queries: QueryClient, childId: number): void {
  void queries.prefetchQuery(getGetSummaryQueryOptions(childId));
}
