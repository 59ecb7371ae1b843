import { MutationCache, type Query, QueryCache, QueryClient } from "@tanstack/react-query";

import { StepUpCancelled, isAway, isTransient, logFailure } from "./problem";

/** How often a transient failure is retried before it is shown. */
const RETRIES = 2;

/** If the prefetch failed less than this long ago, a page shows that failure and doesn't refetch. */
const SAME_FAILURE_MS = 5000;

/** The interval between retries while the server is away. */
export const RETRY_MS = 5000;

/** The `meta` of the query whose retries detect that the server is reachable again. */
export const HEARTBEAT = { heartbeat: true } as const;

/**
 * Creates the query client. A failed refetch keeps the data that was loaded (see `useBackgroundFailure`). Queries that
 * failed because the server was away are refetched after the next success of any query.
 */
export function createQueryClient({ retries = RETRIES } = {}): QueryClient {
  const refetchWhere = (which: (query: Query) => boolean) =>
    void client.refetchQueries({
      type: "active",
      predicate: (query) => query.state.fetchStatus === "idle" && which(query),
    });
  let heartbeat: ReturnType<typeof setTimeout> | undefined;
  const scheduleHeartbeat = () => {
    heartbeat ??= setTimeout(() => {
      heartbeat = undefined;
      refetchWhere(({ meta, state }) => meta?.["heartbeat"] === true && state.error === null);
    }, RETRY_MS);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({
      onSuccess: () => refetchWhere(({ state }) => isAway(state.error)),
      onError: (error) => {
        logFailure(error);
        if (isAway(error)) scheduleHeartbeat();
      },
    }),
    mutationCache: new MutationCache({
      onError: (error) => {
        if (!(error instanceof StepUpCancelled)) logFailure(error);
      },
    }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < retries && isTransient(error),
        retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > SAME_FAILURE_MS,
        staleTime: 30_000,
        // Without a network a request fails at once. The default would pause it silently.
        networkMode: "always",
        refetchOnReconnect: true,
        refetchInterval: ({ state }) => state.data !== undefined && isAway(state.error) && RETRY_MS,
      },
      mutations: { networkMode: "always" },
    },
  });
  return client;
}
