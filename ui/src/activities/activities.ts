import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";

import { type CompletedActivity, completedPages, listIn } from "./lists";
import {
  getListUpcomingActivitiesQueryKey,
  type listUpcomingActivities,
  useGiveFeedback,
  useListUpcomingActivities,
} from "../api/generated/client/activities/activities";
import type { components } from "../api/generated/schema";
import { sentenceOf } from "../api/problem";
import { unreadableRows } from "../api/unreadable-rows";

export type UpcomingActivity = components["schemas"]["UpcomingActivity"];

export const activityTypes = ["completed", "upcoming"] as const;
export type ActivityType = (typeof activityTypes)[number];

/** The type that an address names; null when it names none. */
export function activityTypeIn(named: string | undefined): ActivityType | null {
  return activityTypes.find((type) => type === named) ?? null;
}

/** Activities, and how many more there are that could not be read. */
export interface LoadedActivities<Activity> {
  activities: readonly Activity[];
  unreadable: number;
}

/** The child's completed activities, newest first; further pages load on demand. */
export function useCompletedActivities(childId: number) {
  return useInfiniteQuery({
    ...completedPages(childId),
    select: ({ pages }): LoadedActivities<CompletedActivity> => {
      const all = pages.flatMap((page) => listIn(page.data));
      return {
        activities: [...new Map(all.map((activity) => [activity.session_id, activity])).values()],
        unreadable: unreadableRows(pages),
      };
    },
  });
}

/** What the assistant proposes to the child, in its order. */
export function useUpcomingActivities(childId: number) {
  return useListUpcomingActivities(childId, {
    query: {
      select: (answer): LoadedActivities<UpcomingActivity> => ({
        activities: listIn(answer.data),
        unreadable: unreadableRows([answer]),
      }),
    },
  });
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
