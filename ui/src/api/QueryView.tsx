import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue } from "react";

import { type ErrorText, errorMessage } from "./problem";
import { useStayingFailure } from "./staying-failure";
import { ErrorState } from "../ui/ErrorState";
import type { Words } from "../ui/language";
import { Loading } from "../ui/Loading";

interface QueryViewProps<Data> {
  query: Pick<UseQueryResult<Data>, "data" | "error" | "errorUpdatedAt"> & {
    refetch: () => Promise<unknown>;
  };
  /** What is shown during the first load. */
  loading: { sentence?: string; skeleton: ReactNode };
  errorText?: ErrorText | Words;
  /** What to show for data without content; anything falsy if there is content. */
  empty?: (data: Data) => ReactNode;
  children: (data: Data) => ReactNode;
}

/**
 * The states of a query: loading, failed, empty, loaded. A refresh that fails in the background leaves the loaded data
 * on screen; the line at the bottom of the page then says how old it is (`useBackgroundFailure`).
 */
export function QueryView<Data>({ query, loading, errorText, empty, children }: QueryViewProps<Data>) {
  const { failure, retry } = useStayingFailure(query);
  const { data } = query;
  // Deferred, so that React renders the content in small steps instead of one long task.
  const hasArrived = useDeferredValue(data !== undefined);
  if (data !== undefined && hasArrived) return empty?.(data) || children(data);
  if (failure !== null) return <ErrorState sentence={errorMessage(failure, errorText)} onRetry={retry} />;
  return <Loading sentence={loading.sentence}>{loading.skeleton}</Loading>;
}
