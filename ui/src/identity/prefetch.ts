import type { QueryClient } from "@tanstack/react-query";
import type { LoaderFunction, LoaderFunctionArgs } from "react-router";

import { getListSignInsQueryOptions } from "../api/generated/client/identity/identity";
import { type Guardian, currentIdentity } from "../api/identity-token";

/**
 * A route loader that asks for a page's data, as soon as it is known who is signed in, while the page's code loads. It
 * waits for neither: the page shows how it went.
 */
export function prefetchLoader(
  prefetch: (guardian: Guardian, args: LoaderFunctionArgs) => void,
): LoaderFunction {
  return (args) => {
    void currentIdentity().then(
      ({ guardian }) => prefetch(guardian, args),
      // `IdentityProvider` reports the failure.
      () => undefined,
    );
    return null;
  };
}

/** Asks for what the page of the sign-ins will ask for. */
export function prefetchSignIns(queries: QueryClient): void {
  void queries.prefetchQuery(getListSignInsQueryOptions());
}
