import type { QueryClient } from "@tanstack/react-query";

import { getListHistoryInfiniteQueryOptions } from "../api/generated/client/children/children";
import { getGetHouseholdQueryOptions } from "../api/generated/client/household/household";
import { getGetTimesQueryOptions } from "../api/generated/client/rules/rules";

const PAGE = { limit: 10 };

export function changesQuery(childId: number) {
  return getListHistoryInfiniteQueryOptions(childId, PAGE, {
    query: { initialPageParam: undefined, getNextPageParam: (page) => page.data.next },
  });
}

export function prefetchSettings(queries: QueryClient, childId: number): void {
  void queries.prefetchQuery(getGetTimesQueryOptions(childId));
  void queries.prefetchQuery(getGetHouseholdQueryOptions());
  void queries.prefetchInfiniteQuery(changesQuery(childId));
}
