import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";

import { type Try, isOver } from "./sentences";
import { getGetAttentionQueryKey } from "../api/generated/client/attention/attention";
import { getListHistoryUrl } from "../api/generated/client/children/children";
import {
  getListTriesUrl,
  listTries,
  useDeleteTry,
  useGetTry,
  useJudgeTryAnswer,
  useStartTry,
} from "../api/generated/client/tries/tries";
import { unreadableRows } from "../api/unreadable-rows";

type Pages = InfiniteData<Awaited<ReturnType<typeof listTries>>, string | undefined>;

const PAGE = 20;

/** While a try runs. */
const POLL_MS = 3000;

/** A child's tries, newest first. They are polled while one runs. */
export function useTries(childId: number) {
  return useInfiniteQuery({
    queryKey: ["infinite", getListTriesUrl(childId)],
    queryFn: ({ pageParam, signal }) =>
      listTries(childId, { limit: PAGE, ...(pageParam !== undefined && { before: pageParam }) }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.data.next,
    select: allOf,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => !page.data.items.every(isOver)) === true && POLL_MS,
  });
}

function allOf({ pages }: Pages) {
  const tries: readonly Try[] = pages.flatMap((page) => page.data.items);
  return { tries, unreadable: unreadableRows(pages) };
}

/** A try with its questions and answers. */
export function useTry(childId: number, tryId: number) {
  return useGetTry(childId, tryId, {
    query: {
      staleTime: 0,
      refetchInterval: ({ state: { data } }) => data !== undefined && !isOver(data.data.summary) && POLL_MS,
      select: (page) => ({ ...page.data, unreadable: unreadableRows([page]) }),
    },
  });
}

export type LoadedTry = NonNullable<ReturnType<typeof useTry>["data"]>;

/** Each refetches what it affects, also after a refusal. */
export function useChanges(childId: number) {
  const mutation = useRefetching(childId);
  return {
    /** Stops one's own, or hides one. */
    remove: useDeleteTry({ mutation }),
    judge: useJudgeTryAnswer({ mutation }),
  };
}

/** `onStarted` is called even if the refetched list has removed the button before. */
export function useStart(childId: number, onStarted: (tryId: number) => void) {
  const mutation = useRefetching(childId);
  return useStartTry({ mutation: { ...mutation, onSuccess: ({ data }) => onStarted(data.try_id) } });
}

function useRefetching(childId: number) {
  const queries = useQueryClient();
  return { onSettled: async () => refetch(queries, childId) };
}

async function refetch(queries: QueryClient, childId: number): Promise<void> {
  const urls = [getListTriesUrl(childId), getListHistoryUrl(childId)];
  const isAffected = (part: unknown) =>
    typeof part === "string" && urls.some((url) => part === url || part.startsWith(`${url}/`));
  await Promise.all([
    queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.some(isAffected) }),
    queries.invalidateQueries({ queryKey: getGetAttentionQueryKey() }),
  ]);
}
