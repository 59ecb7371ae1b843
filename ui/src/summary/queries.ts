import { msg } from "@lingui/core/macro";

import { useGetTalkStatus } from "../api/generated/client/talk/talk";
import { type ErrorTexts, isAway } from "../api/problem";
import { RETRY_MS } from "../api/query-client";

/** The maximum delay of a browser's timer. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** What a child's assistants are doing. Refetched when that changes by the clock alone. */
export function useTalkStatus(childId: number) {
  return useGetTalkStatus(childId, {
    query: {
      refetchInterval: ({ state: { data, error } }) => {
        if (isAway(error)) return data !== undefined && RETRY_MS;
        const seconds = data?.data.changes_in;
        return seconds !== undefined && Math.min(Math.ceil(seconds * 1000) + 1, MAX_DELAY_MS);
      },
    },
  });
}

export const errorTexts = {
  load: {
    prefix: msg`Error loading summary:`,
    fallback: msg`An unknown error occurred while fetching the summary.`,
  },
} satisfies ErrorTexts;
