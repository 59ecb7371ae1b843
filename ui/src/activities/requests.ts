/** How activities are requested. The router needs this before a page's code has loaded. */
import type { QueryClient } from "@tanstack/react-query";

import {
  getListCompletedActivitiesInfiniteQueryOptions,
  getListUpcomingActivitiesQueryOptions,
} from "../api/generated/client/activities/activities";
import { idIn } from "../paths";

export function completedQuery(childId: number) {
  return getListCompletedActivitiesInfiniteQueryOptions(childId, undefined, {
    query: { initialPageParam: undefined, getNextPageParam: ({ headers }) => nextPageIn(headers) },
  });
}

/** The cursor of the next page, from the `Link` header; undefined on the last page. */
export function nextPageIn(headers: Headers): number | undefined {
  const before = /^<\?before=(\d+)>; rel="next"$/u.exec(headers.get("Link") ?? "")?.[1];
  return idIn(before) ?? undefined;
}

/** Prefetches the lists of both tabs. */
export function prefetchActivities(queries: QueryClient, childId: number): void {
  void queries.prefetchInfiniteQuery(completedQuery(childId));
  void queries.prefetchQuery(getListUpcomingActivitiesQueryOptions(childId));
}
