import { msg } from "@lingui/core/macro";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";

import { completedQuery } from "./requests";
import {
  getListUpcomingActivitiesQueryKey,
  type listCompletedActivities,
  type listUpcomingActivities,
  useGiveFeedback,
  useListUpcomingActivities,
  useTakeBackFeedback,
} from "../api/generated/client/activities/activities";
import type { components } from "../api/generated/schema";
import type { ErrorTexts } from "../api/problem";
import { unreadableRows } from "../api/unreadable-rows";
import { plainText } from "../format/plain-text";

export type UpcomingActivity = components["schemas"]["UpcomingActivity"];
type Completed = components["schemas"]["CompletedActivity"];
type CompletedPage = Awaited<ReturnType<typeof listCompletedActivities>>;
type Upcoming = Awaited<ReturnType<typeof listUpcomingActivities>>;

/** A completed activity with its texts as shown. */
export interface CompletedActivity extends Omit<Completed, "topic" | "score" | "mood"> {
  /** Null if it has none. */
  topic: string | null;
  /** '-' if it has none. */
  score: string;
  /** Empty when unknown. */
  mood: string;
}

/** Activities, and the number of further ones that could not be read. */
export interface LoadedActivities<Activity> {
  activities: readonly Activity[];
  unreadable: number;
}

/** Newest first. */
export function useCompletedActivities(childId: number) {
  return useInfiniteQuery({ ...completedQuery(childId), select: completedIn });
}

function completedIn({ pages }: { pages: CompletedPage[] }): LoadedActivities<CompletedActivity> {
  const all = pages.flatMap((page) => listIn(page.data)).map(asShown);
  return {
    activities: [...new Map(all.map((activity) => [activity.session_id, activity])).values()],
    unreadable: unreadableRows(pages),
  };
}

function asShown({ topic, score, mood, ...activity }: Completed): CompletedActivity {
  return {
    ...activity,
    topic: textIn(topic),
    score: textIn(score) ?? "-",
    mood: plainText(mood ?? "").trim(),
  };
}

function textIn(value: string | number | null | undefined): string | null {
  const text = plainText(String(value ?? ""));
  return text.trim() === "" ? null : text;
}

/** In the assistant's order. */
export function useUpcomingActivities(childId: number) {
  return useListUpcomingActivities(childId, { query: { select: upcomingIn } });
}

function upcomingIn(answer: Upcoming): LoadedActivities<UpcomingActivity> {
  return {
    activities: listIn(answer.data).map(({ topic, summary, ...activity }) => ({
      ...activity,
      topic: plainText(topic),
      ...(summary !== undefined && summary.trim() !== "" && { summary: plainText(summary) }),
    })),
    unreadable: unreadableRows([answer]),
  };
}

/** An answer that is not a list counts as an empty one. */
function listIn<Item>(answered: readonly Item[]): readonly Item[] {
  return Array.isArray(answered) ? answered : [];
}

/** Sends feedback. On success the activity leaves the list, after `beforeRemoval`. */
export function useFeedback(childId: number, beforeRemoval: (activityId: string) => Promise<void>) {
  const queryClient = useQueryClient();
  return useGiveFeedback({
    mutation: {
      onSuccess: async (_answer, { activityId }) => {
        const queryKey = getListUpcomingActivitiesQueryKey(childId);
        await beforeRemoval(activityId);
        // A response still in flight may predate the feedback.
        await queryClient.cancelQueries({ queryKey });
        queryClient.setQueryData<Upcoming>(
          queryKey,
          (known) =>
            known && {
              ...known,
              data: listIn(known.data).filter((activity) => activity.activity_id !== activityId),
            },
        );
      },
    },
  });
}

/** Takes feedback back, and loads the list again before it succeeds. */
export function useTakingBack(childId: number) {
  const queryClient = useQueryClient();
  return useTakeBackFeedback({
    mutation: {
      onSuccess: async () =>
        queryClient.invalidateQueries({ queryKey: getListUpcomingActivitiesQueryKey(childId) }),
    },
  });
}

export const errorTexts = {
  load: {
    prefix: msg`Error loading activities:`,
    fallback: msg`An unknown error occurred while fetching activities.`,
  },
  feedback: { fallback: msg`An unknown error occurred during feedback submission.`, alsoMessage: true },
} satisfies ErrorTexts;
