/** How sessions and messages are requested. The router needs this before a page's code has loaded. */
import type { QueryClient } from "@tanstack/react-query";

import {
  getListMessagesInfiniteQueryOptions,
  getListSessionsInfiniteQueryOptions,
  listMessages,
} from "../api/generated/client/transcripts/transcripts";

export const MESSAGE_PAGE = { limit: 100 };

export function sessionsQuery(childId: number) {
  return getListSessionsInfiniteQueryOptions(
    { child_id: childId },
    { query: { initialPageParam: undefined, getNextPageParam: (page) => page.data.next } },
  );
}

/**
 * A session's messages, oldest first. They seldom change, so they are refetched less often than other data. `glances` reads the
 * beginning as a glance, which isn't counted as reading.
 */
export function messagesQuery(sessionId: number, glances?: Glances) {
  return {
    ...getListMessagesInfiniteQueryOptions(sessionId, MESSAGE_PAGE, {
      query: {
        initialPageParam: undefined,
        getNextPageParam: (page) => page.data.next,
        staleTime: 60_000,
        refetchOnWindowFocus: false,
      },
    }),
    queryFn: async ({ pageParam, signal }: { pageParam: string | undefined; signal: AbortSignal }) =>
      listMessages(sessionId, pageOf(sessionId, pageParam, glances), { signal }),
  };
}

/** The sessions that were read as a glance. */
export type Glances = Set<number>;

export function pageOf(sessionId: number, after: string | undefined, glances?: Glances) {
  if (after !== undefined) return { ...MESSAGE_PAGE, after };
  if (glances === undefined) return MESSAGE_PAGE;
  glances.add(sessionId);
  return { ...MESSAGE_PAGE, glance: true };
}

/** Prefetches the sessions, and the messages of the session in the address. */
export function prefetchTranscripts(queries: QueryClient, childId: number, sessionId: number | null): void {
  void queries.prefetchInfiniteQuery(sessionsQuery(childId));
  if (sessionId !== null) void queries.prefetchInfiniteQuery(messagesQuery(sessionId));
}
