import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { conversationIn, lastPageQuery } from "./queries";
import { type Glances, messagesQuery } from "./requests";
import { useMounted } from "../ui/mounted";

export type LoadedConversation = ReturnType<typeof useConversation>;

/**
 * A session's conversation, oldest message first. Further pages load on demand. Once all are loaded, the last page has its own
 * query, which events refetch: new messages are appended, and corrected ones are replaced.
 */
export function useConversation(sessionId: number, glances?: Glances) {
  const queries = useQueryClient();
  const pages = messagesQuery(sessionId, glances);
  const query = useInfiniteQuery({ ...pages, select: conversationIn });

  const complete = query.data !== undefined && !query.hasNextPage;
  useQuery({
    ...lastPageQuery(queries, sessionId, query.data?.lastPageParam, glances),
    enabled: complete,
    // The pages were just loaded.
    initialData: () => queries.getQueryData(pages.queryKey)?.pages.at(-1),
    staleTime: 60_000,
  });

  return { ...query, complete };
}

/** Loads all further pages of a conversation, unless the component is unmounted meanwhile. */
export function useLoadAll({ hasNextPage, fetchNextPage }: LoadedConversation) {
  const [loadingAll, setLoadingAll] = useState(false);
  const mounted = useMounted();

  /** Calls `then` once the pages are rendered. `complete` is whether all could be loaded. */
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
