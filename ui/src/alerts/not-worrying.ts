/** Which alerts a guardian has dealt with, and what they find not worrying of what a model pointed at. It is theirs alone. */
import { useState } from "react";

import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import {
  getCountUnseenAlertsQueryKey,
  getListAlertsUrl,
  getListNotWorryingQueryKey,
  getListNotWorryingQueryOptions,
  type listNotWorrying,
  replaceNotWorrying,
  setAlertDealtWith,
  setAlertNotWorrying,
} from "../api/generated/client/alerts/alerts";
import { getGetAttentionQueryKey } from "../api/generated/client/attention/attention";
import type { Concern } from "../children/concerns";

type Answer = Awaited<ReturnType<typeof listNotWorrying>>;

export type NotWorryingChange =
  { kind: "alert"; alertId: number; isSo: boolean } | { kind: "concern"; concern: Concern; isSo: boolean };

/** The concerns that the guardian finds not worrying for this child. */
export function useNotWorrying(childId: number) {
  return useQuery({ ...getListNotWorryingQueryOptions(childId), select: concernsIn });
}

function concernsIn({ data }: Answer): readonly Concern[] {
  return data.items;
}

/** The changes of a child are saved one after the other, each on the newest list. */
export function useChangeNotWorrying(childId: number) {
  const queries = useQueryClient();
  return useMutation({
    scope: { id: `not worrying of ${childId}` },
    mutationFn: async (change: NotWorryingChange) => save(queries, childId, change),
    onSuccess: async () => refetchAlerts(queries, childId),
  });
}

/** Whether the guardian has dealt with an alert. */
export function useDealWith(childId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ alertId, isSo }: { alertId: number; isSo: boolean }) =>
      setAlertDealtWith(childId, alertId, { dealt_with: isSo }),
    onSuccess: async () => refetchAlerts(queries, childId),
  });
}

/** How many of the alerts of a change are saved. */
interface Progress {
  done: number;
  all: number;
}

/** Whether the guardian has dealt with several alerts. They are saved one after the other; after a failure the rest stay as they are. */
export function useDealWithAll(childId: number) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  const change = useMutation({
    mutationFn: async ({ ids, isSo }: { ids: readonly number[]; isSo: boolean }) => {
      for (const [done, id] of ids.entries()) {
        setProgress({ done, all: ids.length });
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await setAlertDealtWith(childId, id, { dealt_with: isSo });
      }
    },
    onSettled: async () => {
      setProgress(null);
      await refetchAlerts(queries, childId);
    },
  });
  return { change, progress };
}

async function refetchAlerts(queries: QueryClient, childId: number): Promise<void> {
  const list = getListAlertsUrl(childId);
  await Promise.all([
    queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(list) }),
    queries.invalidateQueries({ queryKey: getCountUnseenAlertsQueryKey() }),
    queries.invalidateQueries({ queryKey: getGetAttentionQueryKey() }),
  ]);
}

async function save(queries: QueryClient, childId: number, change: NotWorryingChange): Promise<void> {
  if (change.kind === "alert") {
    await setAlertNotWorrying(childId, change.alertId, { not_worrying: change.isSo });
    return;
  }
  const key = getListNotWorryingQueryKey(childId);
  const loaded = await queries.fetchQuery({ ...getListNotWorryingQueryOptions(childId), staleTime: 0 });
  const others = loaded.data.items.filter((concern) => concern !== change.concern);
  const items = change.isSo ? [...others, change.concern] : others;
  await replaceNotWorrying(childId, { items });
  // Before the alerts are refetched, so that they don't say for a moment that it is about one alert.
  queries.setQueryData<Answer>(key, { ...loaded, data: { items } });
}
