import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { conversationIn, lastPageQuery, messagesQuery } from "./queries";

export type LoadedConversation = ReturnType<typeof useConversation>;

/** How often a running conversation is polled; a silent one less often. */
const LIVE_MS = 4000;
const SILENT_MS = 15_000;
const SILENT_AFTER_MS = 10 * 60_000;

/** The time until the next poll of a session; false when it has ended. */
export function pollInterval(ended: boolean, newest: string | undefined, now: number): number | false {
  if (ended) return false;
  return newest !== undefined && now - Date.parse(newest) > SILENT_AFTER_MS ? SILENT_MS : LIVE_MS;
}

/**
 * A session's conversation, oldest message first. Further pages load on demand. Once all are loaded, the last page is
 * polled until the session has ended: new messages are appended, corrected ones change in place.
 */
export function useConversation(sessionId: number, ended: boolean) {
  const queries = useQueryClient();
  const pages = messagesQuery(sessionId);
  const query = useInfiniteQuery({ ...pages, select: conversationIn });

  const complete = query.data !== undefined && !query.hasNextPage;
  const { refetch } = useQuery({
    ...lastPageQuery(queries, sessionId, query.data?.lastPageParam),
    enabled: complete && !ended,
    refetchInterval: ({ state }) =>
      pollInterval(ended, state.data?.data.messages.at(-1)?.timestamp, Date.now()),
    // The pages were just loaded: the first poll comes after the first interval.
    initialData: () => queries.getQueryData(pages.queryKey)?.pages.at(-1),
    staleTime: LIVE_MS,
  });

  // Once more after the end, for what was said since the last poll.
  const wasEnded = useRef(ended);
  useEffect(() => {
    if (ended && !wasEnded.current) void refetch();
    wasEnded.current = ended;
  }, [ended, refetch]);

  return { ...query, complete };
}

/** Loads all further pages of a conversation, unless the component is unmounted meanwhile. */
export function useLoadAll({ hasNextPage, fetchNextPage }: LoadedConversation) {
  const [loadingAll, setLoadingAll] = useState(false);
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);

  /** Calls `then` once the pages are rendered, with whether all could be loaded. */
  const loadAll = async (then: (complete: boolean) => void) => {
    setLoadingAll(true);
    let result = { hasNextPage, isFetchNextPageError: false };
    while (result.hasNextPage && !result.isFetchNextPageError && mounted.current) {
      // oxlint-disable-next-line no-await-in-loop -- each page names the next one
      result = await fetchNextPage({ cancelRefetch: false });
    }
    // React renders the last page after the query has resolved.
    await new Promise((resolve) => setTimeout(resolve));
    if (!mounted.current) return;
    setLoadingAll(false);
    then(!result.hasNextPage);
  };
  return { loadingAll, loadAll };
}
