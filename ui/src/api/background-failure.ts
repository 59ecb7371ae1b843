import { type QueryState, notifyManager, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";

/** The oldest data on screen whose last refresh failed, and why it did; null while every refresh works. */
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
      // A further page that fails is said where it is missing.
      .filter(({ data, error, fetchMeta }) => data !== undefined && error !== null && !fetchMeta?.fetchMore)
      .toSorted((one, other) => one.dataUpdatedAt - other.dataUpdatedAt)[0] ?? null;
  return useSyncExternalStore(watch, find);
}
