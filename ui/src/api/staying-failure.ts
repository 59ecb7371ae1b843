import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";

type Failing = Pick<UseQueryResult, "error" | "errorUpdatedAt"> & { refetch: () => Promise<unknown> };

/**
 * Why a query has no data, and the way to try it again. The failure stays while the query is refetched by itself, so that
 * the retry button keeps the focus. TanStack Query forgets the error as soon as such a refetch starts; its time stays.
 */
export function useStayingFailure({ error, errorUpdatedAt, refetch }: Failing): {
  failure: Error | null;
  retry: () => void;
} {
  const [last, setLast] = useState({ error, at: errorUpdatedAt });
  if (error !== null && last.at !== errorUpdatedAt) setLast({ error, at: errorUpdatedAt });
  return {
    failure: last.at === errorUpdatedAt ? last.error : null,
    retry: () => {
      setLast({ error: null, at: errorUpdatedAt });
      void refetch();
    },
  };
}
