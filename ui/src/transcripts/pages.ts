/** How the list of sessions and a session's messages are asked for, page by page. */
import type { QueryClient } from "@tanstack/react-query";

import {
  getListMessagesInfiniteQueryOptions,
  getListSessionsInfiniteQueryOptions,
} from "../api/generated/client/transcripts/transcripts";

/** A child's sessions, newest first. */
export function sessionPages(childId: number) {
  return getListSessionsInfiniteQueryOptions(
    { child_id: childId },
    { query: { initialPageParam: undefined, getNextPageParam: (page) => page.data.next } },
  );
}

/** So many messages of a conversation come at a time. */
export const MESSAGES_AT_A_TIME = { limit: 100 };

/** A session's messages, oldest first. What was said stays said, so they are asked for again less often than others. */
export function messagePages(sessionId: number) {
  return getListMessagesInfiniteQueryOptions(sessionId, MESSAGES_AT_A_TIME, {
    query: {
      initialPageParam: undefined,
      getNextPageParam: (page) => page.data.next,
      staleTime: 60_000,
      refetchOnWindowFocus: false,
    },
  });
}

/** Asks for what the transcripts page will ask for: the sessions, and what was said in the one that the address names. */
export function prefetchTranscripts(queries: QueryClient, childId: number, sessionId: number | null): void {
  void queries.prefetchInfiniteQuery(sessionPages(childId));
  if (sessionId !== null) void queries.prefetchInfiniteQuery(messagePages(sessionId));
}
