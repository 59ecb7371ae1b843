import { MutationCache, type Query, QueryCache, QueryClient } from "@tanstack/react-query";

import { logFailure, isTransient, nobodyAnswered } from "./problem";

/** A failure that may pass is tried again this often before the parent hears of it. */
const RETRIES = 2;

/** A page that opens this soon after what it needs was asked for in vain shows the failure; it doesn't ask once more. */
const SAME_FAILURE_MS = 5000;

/** What is on screen is asked for again after this long while nobody answers. */
export const ASK_AGAIN_MS = 5000;

/** Marks, as its `meta`, the query by which it is noticed that somebody answers again. */
export const HEARTBEAT = { heartbeat: true } as const;

/**
 * A refresh that fails leaves what was loaded before in place; see `useBackgroundFailure`. What nobody answered is asked
 * for again once somebody answers anything.
 */
export function createQueryClient({ retries = RETRIES } = {}): QueryClient {
  const askAgain = (which: (query: Query) => boolean) =>
    void client.refetchQueries({
      type: "active",
      predicate: (query) => query.state.fetchStatus === "idle" && which(query),
    });
  let listening: ReturnType<typeof setTimeout> | undefined;
  const listen = () => {
    listening ??= setTimeout(() => {
      listening = undefined;
      askAgain(({ meta, state }) => meta?.["heartbeat"] === true && state.error === null);
    }, ASK_AGAIN_MS);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({
      onSuccess: () => askAgain(({ state }) => nobodyAnswered(state.error)),
      onError: (error) => {
        logFailure(error);
        if (nobodyAnswered(error)) listen();
      },
    }),
    mutationCache: new MutationCache({ onError: logFailure }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < retries && isTransient(error),
        retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > SAME_FAILURE_MS,
        staleTime: 30_000,
        // Without a network a request fails and says so, rather than waiting for ever.
        networkMode: "always",
        refetchOnReconnect: true,
        refetchInterval: ({ state }) =>
          state.data !== undefined && nobodyAnswered(state.error) && ASK_AGAIN_MS,
      },
      mutations: { networkMode: "always" },
    },
  });
  return client;
}
