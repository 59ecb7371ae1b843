import { useQueryClient } from "@tanstack/react-query";

import { getGetChildNoticeQueryKey, getListHistoryUrl } from "../api/generated/client/children/children";
import { getGetRequestsQueryKey } from "../api/generated/client/household/household";
import {
  getGetReviewerQueryKey,
  useConfirmReviewer,
  useGetReviewer,
  useNoteReviewerShown,
  useSwitchReviewerAtHome,
  useSwitchReviewerOff,
  useSwitchReviewerOn,
} from "../api/generated/client/reviewer/reviewer";

/** No event tells that the model was tested or replaced, or that a period has ended, so it is never fresh. */
export function useReviewer(childId: number) {
  return useGetReviewer(childId, { query: { select: ({ data }) => data, staleTime: 0 } });
}

/** Each refetches what it affects, also after a refusal: the model may have changed meanwhile. */
export function useSwitches(childId: number) {
  const queries = useQueryClient();
  const refetch = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: getGetReviewerQueryKey(childId) }),
      queries.invalidateQueries({ queryKey: getGetChildNoticeQueryKey(childId) }),
      queries.invalidateQueries({ queryKey: getGetRequestsQueryKey() }),
      queries.invalidateQueries({
        predicate: ({ queryKey }) => queryKey.includes(getListHistoryUrl(childId)),
      }),
    ]);
  };
  const mutation = { onSettled: refetch };
  return {
    switchOn: useSwitchReviewerOn({ mutation }),
    agree: useConfirmReviewer({ mutation }),
    switchOff: useSwitchReviewerOff({ mutation }),
    atHome: useSwitchReviewerAtHome({ mutation }),
    noteShown: useNoteReviewerShown({ mutation }),
  };
}
