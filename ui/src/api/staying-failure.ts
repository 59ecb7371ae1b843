import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";

type Failing = Pick<UseQueryResult, "error" | "errorUpdatedAt"> & { refetch: () => Promise<unknown> };

/**
 * The error of a query without data, and a function that retries it. The error stays during an automatic refetch, so that
 * the retry button keeps the focus. TanStack Query resets `error` when a refetch starts, but keeps `errorUpdatedAt`.
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
