import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";

import { conversationIn } from "./queries";
import { hasMessage } from "./rows";
import type { LoadedConversation } from "./use-conversation";
import {
  getListMessagesInfiniteQueryKey,
  listMessages,
} from "../api/generated/client/transcripts/transcripts";

interface Place {
  around?: string;
  before?: string;
  after?: string;
}

function around(message: string): Place {
  return { around: message };
}

/**
 * The conversation around a search match: `whole` if its loaded pages include the message, else pages around it, which load
 * in both directions.
 */
export function useConversationAt(sessionId: number, message: string | null, whole: LoadedConversation) {
  const has = ({ data }: Pick<LoadedConversation, "data">) =>
    message !== null && data?.rows.some((row) => hasMessage(row, message)) === true;
  const isApart = message !== null && whole.data !== undefined && !has(whole);
  // Reused for other messages in the pages loaded around the last one.
  const [center, setCenter] = useState<string | null>(null);
  const pages = useInfiniteQuery({
    // Includes the address, by which events find the queries to refetch.
    queryKey: getListMessagesInfiniteQueryKey(sessionId, { limit: 100, around: center ?? "" }),
    queryFn: ({ pageParam, signal }) => listMessages(sessionId, { limit: 100, ...pageParam }, { signal }),
    enabled: isApart && center !== null,
    initialPageParam: around(center ?? ""),
    getNextPageParam: ({ data: { next } }) => (next === undefined ? undefined : { after: next }),
    getPreviousPageParam: ({ data: { previous } }) =>
      previous === undefined ? undefined : { before: previous },
    select: (data) => ({ ...conversationIn({ ...data, pageParams: [] }) }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
  const isElsewhere = center === null || (pages.data !== undefined && !has(pages));
  if (isApart && isElsewhere && center !== message) setCenter(message);
  return isApart ? { ...pages, complete: false } : whole;
}
