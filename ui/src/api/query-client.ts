import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";

import { logFailure, mayPass } from "./problem";

/** A failure that may pass is tried again this often before the parent hears of it. */
const RETRIES = 2;

/** A page that opens this soon after what it needs was asked for in vain shows the failure; it doesn't ask once more. */
const SAME_FAILURE_MS = 5000;

export function createQueryClient({ retries = RETRIES } = {}): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: logFailure }),
    mutationCache: new MutationCache({ onError: logFailure }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < retries && mayPass(error),
        retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > SAME_FAILURE_MS,
        staleTime: 30_000,
        // Without a network a request fails and says so, rather than waiting for ever.
        networkMode: "always",
        refetchOnReconnect: true,
      },
      mutations: { networkMode: "always" },
    },
  });
}
