/** How the two lists of activities are asked for. */
import { type QueryClient, infiniteQueryOptions } from "@tanstack/react-query";

import {
  getListCompletedActivitiesQueryKey,
  getListUpcomingActivitiesQueryOptions,
  listCompletedActivities,
} from "../api/generated/client/activities/activities";
import type { components } from "../api/generated/schema";

export type CompletedActivity = components["schemas"]["CompletedActivity"];

/** The server answers at most this many completed activities at a time. */
const PAGE_SIZE = 500;

/** An answer that is no list counts as an empty one. */
export function listIn<Item>(answered: readonly Item[]): readonly Item[] {
  return Array.isArray(answered) ? answered : [];
}

/** Where a list of completed activities goes on: before the last of a full page. Unreadable activities don't shorten a page. */
export function continuesBefore(page: readonly CompletedActivity[]): number | undefined {
  return page.length < PAGE_SIZE ? undefined : page.at(-1)?.session_id;
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
    getNextPageParam: (page) => continuesBefore(listIn(page.data)),
  });
}

const firstPage: number | undefined = undefined as number | undefined;

/** Asks for what the activities page will ask for: both lists, whichever is shown. */
export function prefetchActivities(queries: QueryClient, childId: number): void {
  void queries.prefetchInfiniteQuery(completedPages(childId));
  void queries.prefetchQuery(getListUpcomingActivitiesQueryOptions(childId));
}
