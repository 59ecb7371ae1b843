import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";

import { logFailure, mayPass, nobodyAnswered } from "./problem";

/** A failure that may pass is tried again this often before the parent hears of it. */
const RETRIES = 2;

/** A page that opens this soon after what it needs was asked for in vain shows the failure; it doesn't ask once more. */
const SAME_FAILURE_MS = 5000;

/** What is on screen is asked for again after this long while nobody answers. */
export const ASK_AGAIN_MS = 5000;

/** A refresh that fails leaves what was loaded before in place; see `useBackgroundFailure`. */
export function createQueryClient({ retries = RETRIES } = {}): QueryClient {
  // Once somebody answers again, so do the others.
  const askOthersAgain = () =>
    void client.refetchQueries({
      type: "active",
      predicate: ({ state }) => nobodyAnswered(state.error) && state.fetchStatus === "idle",
    });
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: logFailure, onSuccess: askOthersAgain }),
    mutationCache: new MutationCache({ onError: logFailure }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < retries && mayPass(error),
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
