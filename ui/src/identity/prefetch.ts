import type { LoaderFunction, LoaderFunctionArgs } from "react-router";

import { type Guardian, currentIdentity } from "../api/identity-token";

/**
 * A route loader that prefetches a page's data once the guardian is known, while the router loads the page's code. It
 * doesn't wait for the data: the page shows its loading and error states.
 */
export function prefetchLoader(
  prefetch: (guardian: Guardian, args: LoaderFunctionArgs) => unknown,
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
