import { type InfiniteData, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { getSearchTranscriptsUrl, searchTranscripts } from "../api/generated/client/transcripts/transcripts";
import type { components } from "../api/generated/schema";
import { unreadableRows } from "../api/unreadable-rows";

export type Match = components["schemas"]["SearchMatch"];
type SearchPages = InfiniteData<Awaited<ReturnType<typeof searchTranscripts>>, string | undefined>;

/** Newest first. */
export interface SessionMatches {
  id: number;
  topic: string;
  /** When it began; empty when unknown. */
  began: string;
  matches: Match[];
}

export type Search = ReturnType<typeof useSearch>;

/** The debounce delay. */
const TYPING_MS = 150;
/** The number of matches that a search collects; further ones on demand. */
const ENOUGH = 100;

/** Searches a child's conversations until there are `ENOUGH` matches or all were read. */
export function useSearch(childId: number, typed: string) {
  const words = useSettled(typed.trim());
  const [wanted, setWanted] = useState({ words, count: ENOUGH });
  const count = wanted.words === words ? wanted.count : ENOUGH;
  const query = useInfiniteQuery({
    queryKey: [getSearchTranscriptsUrl(childId), words],
    queryFn: ({ pageParam, signal }) =>
      searchTranscripts(childId, { words, ...(pageParam !== undefined && { after: pageParam }) }, { signal }),
    enabled: words !== "",
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.data.next,
    placeholderData: keepPreviousData,
    select: found,
    // Always fresh, and removed from the cache when unmounted.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

  const { data, hasNextPage, isFetching, isError, isPlaceholderData, fetchNextPage } = query;
  const goesOn = hasNextPage && !isPlaceholderData && !isError && (data?.matches.length ?? 0) < count;
  const loadAfter = goesOn && !isFetching ? (data?.pages ?? 0) : 0;
  useEffect(() => {
    if (loadAfter > 0) void fetchNextPage({ cancelRefetch: false });
  }, [loadAfter, fetchNextPage]);

  return {
    ...query,
    /** Whether the results are for the current text. */
    isCurrent: data !== undefined && !isPlaceholderData && words === typed.trim(),
    searching: isFetching || goesOn || words !== typed.trim(),
    hasMore: hasNextPage && !goesOn && !isError,
    searchMore: () => setWanted({ words, count: count + ENOUGH }),
  };
}

function found({ pages }: SearchPages) {
  const matches = pages.flatMap((page) => page.data.matches);
  return {
    pages: pages.length,
    matches,
    sessions: bySession(matches),
    searchedBackTo: pages.at(-1)?.data.searched_back_to,
    unreadable: unreadableRows(pages),
  };
}

/** Groups matches by session, keeping their order. */
export function bySession(matches: readonly Match[]): SessionMatches[] {
  const sessions = new Map<number, SessionMatches>();
  for (const match of matches) {
    const { session_id: id, topic = "", date: began = "" } = match;
    const session = sessions.get(id) ?? { id, topic, began, matches: [] };
    sessions.set(id, session);
    session.matches.push(match);
  }
  return [...sessions.values()];
}

/** Debounces the value; an empty one is returned at once. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return value === "" ? "" : settled;
}
