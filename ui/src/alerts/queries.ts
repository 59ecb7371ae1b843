import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";

import type { AnyAlert } from "./sentences";
import { type Phrase, type PhraseChange, withChange } from "./phrases";
import {
  getCountUnseenAlertsQueryKey,
  getListAlertsUrl,
  getListWatchedPhrasesQueryOptions,
  listAlerts,
  type listWatchedPhrases,
  noteAlertsSeen,
  replaceWatchedPhrases,
  useCountUnseenAlerts,
} from "../api/generated/client/alerts/alerts";
import { saveOnNewest } from "../api/shared-record";
import { unreadableRows } from "../api/unreadable-rows";

type PhrasesAnswer = Awaited<ReturnType<typeof listWatchedPhrases>>;
type Pages = InfiniteData<Awaited<ReturnType<typeof listAlerts>>, string | undefined>;

export const PAGE = 20;

/** The size of the later pages. */
const LATER_PAGE = 100;

/** A child's alerts, newest arrival first. Events of another child's page don't refetch them, so they are never fresh. */
export function useAlerts(childId: number) {
  return useInfiniteQuery({
    queryKey: ["infinite", getListAlertsUrl(childId)],
    queryFn: ({ pageParam, signal }) =>
      listAlerts(
        childId,
        pageParam === undefined ? { limit: PAGE } : { limit: LATER_PAGE, before: pageParam },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.data.next,
    select: allOf,
    staleTime: 0,
  });
}

function allOf({ pages }: Pages) {
  const alerts: AnyAlert[] = pages.flatMap((page) => page.data.alerts);
  return { alerts, unreadable: unreadableRows(pages) };
}

/** The number of a child's unseen alerts; null until it is known. */
export function useUnseen(childId: number) {
  const query = useCountUnseenAlerts();
  const counts = query.data?.data.items;
  const unseen = counts?.find(({ child_id: id }) => id === childId)?.unseen ?? 0;
  return { ...query, unseen: counts === undefined ? null : unseen };
}

export function useNoteSeen(childId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (upTo: number) => noteAlertsSeen({ child_id: childId, up_to: upTo }),
    onSuccess: async () => queries.invalidateQueries({ queryKey: getCountUnseenAlertsQueryKey() }),
  });
}

export function usePhrases(childId: number) {
  return useQuery({ ...getListWatchedPhrasesQueryOptions(childId), select: phrasesIn });
}

function phrasesIn({ data }: PhrasesAnswer): readonly Phrase[] {
  return data;
}

/** Changes the phrases one after the other. After a conflict the change is repeated on the newest list. */
export function useChangePhrases(childId: number, onSaved?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    scope: { id: `watched phrases of ${childId}` },
    mutationFn: async (change: PhraseChange) => saveChange(queries, childId, change),
    onSuccess: onSaved,
  });
}

async function saveChange(queries: QueryClient, childId: number, change: PhraseChange): Promise<void> {
  await saveOnNewest<PhrasesAnswer>(
    queries,
    getListWatchedPhrasesQueryOptions(childId),
    async (loaded, init) => replaceWatchedPhrases(childId, withChange(loaded.data, change), init),
  );
}
