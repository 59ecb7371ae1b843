import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";

import {
  getListCompletedActivitiesQueryKey,
  getListUpcomingActivitiesQueryKey,
  listCompletedActivities,
  type listUpcomingActivities,
  useGiveFeedback,
  useListUpcomingActivities,
} from "../api/generated/client/activities/activities";
import type { components } from "../api/generated/schema";
import { sentenceOf } from "../api/problem";

export type CompletedActivity = components["schemas"]["CompletedActivity"];
export type UpcomingActivity = components["schemas"]["UpcomingActivity"];

export const activityTypes = ["completed", "upcoming"] as const;
export type ActivityType = (typeof activityTypes)[number];

/** The type that an address names; null when it names none. */
export function activityTypeIn(named: string | undefined): ActivityType | null {
  return activityTypes.find((type) => type === named) ?? null;
}

/** The server answers at most this many completed activities at a time. */
export const PAGE_SIZE = 500;

/** An answer that is no list counts as an empty one. */
export function listIn<Item>(answered: readonly Item[]): readonly Item[] {
  return Array.isArray(answered) ? answered : [];
}

/** Where a list of completed activities goes on: before the last of a full page. */
export function continuesBefore(page: readonly CompletedActivity[]): number | undefined {
  return page.length < PAGE_SIZE ? undefined : page.at(-1)?.session_id;
}

/** The child's completed activities, newest first; further pages load on demand. */
export function useCompletedActivities(childId: number) {
  return useInfiniteQuery({
    queryKey: [...getListCompletedActivitiesQueryKey(childId), "pages"],
    queryFn: async ({ pageParam, signal }) => {
      const params = pageParam === undefined ? undefined : { before: pageParam };
      return listIn((await listCompletedActivities(childId, params, { signal })).data);
    },
    initialPageParam: firstPage,
    getNextPageParam: continuesBefore,
    select: ({ pages }) => [
      ...new Map(pages.flat().map((activity) => [activity.session_id, activity])).values(),
    ],
  });
}

const firstPage: number | undefined = undefined as number | undefined;

/** What the assistant proposes to the child, in its order. */
export function useUpcomingActivities(childId: number) {
  return useListUpcomingActivities(childId, { query: { select: ({ data }) => listIn(data) } });
}

type Upcoming = Awaited<ReturnType<typeof listUpcomingActivities>>;

/** Sends feedback. Once it is kept, and `farewell` is over, the activity leaves the list, whoever still looks at it. */
export function useFeedback(childId: number, farewell: (activityId: string) => Promise<void>) {
  const queryClient = useQueryClient();
  return useGiveFeedback({
    mutation: {
      onSuccess: async (_answer, { activityId }) => {
        const queryKey = getListUpcomingActivitiesQueryKey(childId);
        await farewell(activityId);
        // An answer on its way may be from before the feedback.
        await queryClient.cancelQueries({ queryKey });
        queryClient.setQueryData<Upcoming>(queryKey, (known) =>
          known?.status === 200
            ? { ...known, data: listIn(known.data).filter((activity) => activity.activity_id !== activityId) }
            : known,
        );
      },
    },
  });
}

/** Why the activities can't be shown. */
export function listSentence(error: unknown): string {
  return `Error loading activities: ${sentenceOf(error, "An unknown error occurred while fetching activities.")}`;
}

/** Why the feedback was not kept; here the server may also speak through a `message`. */
export function feedbackSentence(error: unknown): string {
  return sentenceOf(error, "An unknown error occurred during feedback submission.", { alsoMessage: true });
}
