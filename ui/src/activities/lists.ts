/** How the two lists of activities are asked for. */
import { type QueryClient, infiniteQueryOptions } from "@tanstack/react-query";

import {
  getListCompletedActivitiesQueryKey,
  getListUpcomingActivitiesQueryOptions,
  listCompletedActivities,
} from "../api/generated/client/activities/activities";
import type { components } from "../api/generated/schema";
import { idIn } from "../paths";

export type CompletedActivity = components["schemas"]["CompletedActivity"];

/** An answer that is no list counts as an empty one. */
export function listIn<Item>(answered: readonly Item[]): readonly Item[] {
  return Array.isArray(answered) ? answered : [];
}

/** Where a list of completed activities goes on, as the answer's `Link` says; undefined on the last page. */
export function continuesBefore(headers: Headers): number | undefined {
  const before = /^<\?before=(\d+)>; rel="next"$/u.exec(headers.get("Link") ?? "")?.[1];
  return idIn(before) ?? undefined;
}

/** A child's completed activities, newest first, page by page. */
export function completedPages(childId: number) {
  return infiniteQueryOptions({
    queryKey: [...getListCompletedActivitiesQueryKey(childId), "pages"],
    queryFn: async ({ pageParam, signal }) => {
      const params = pageParam === undefined ? undefined : { before: pageParam };
      return listCompletedActivities(childId, params, { signal });
    },
    initialPageParam: firstPage,
    getNextPageParam: (page) => continuesBefore(page.headers),
  });
}

const firstPage: number | undefined = undefined as number | undefined;

/** Asks for what the activities page will ask for: both lists, whichever is shown. */
export function prefetchActivities(queries: QueryClient, childId: number): void {
  void queries.prefetchInfiniteQuery(completedPages(childId));
  void queries.prefetchQuery(getListUpcomingActivitiesQueryOptions(childId));
}
