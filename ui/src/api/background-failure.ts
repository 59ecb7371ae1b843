import { type QueryState, notifyManager, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";

/** The oldest data on screen whose last refetch failed, with the error; null if no refetch has failed. */
export function useBackgroundFailure(): Pick<QueryState, "error" | "dataUpdatedAt"> | null {
  const cache = useQueryClient().getQueryCache();
  const watch = useCallback(
    (watcher: () => void) => cache.subscribe(notifyManager.batchCalls(watcher)),
    [cache],
  );
  const find = () =>
    cache
      .findAll({ type: "active" })
      .map(({ state }) => state)
      // The failure of a further page is shown at the end of its list.
      .filter(({ data, error, fetchMeta }) => data !== undefined && error !== null && !fetchMeta?.fetchMore)
      .sort((one, other) => one.dataUpdatedAt - other.dataUpdatedAt)[0] ?? null;
  return useSyncExternalStore(watch, find);
}
