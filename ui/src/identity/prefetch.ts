import type { QueryClient } from "@tanstack/react-query";

import { getListSignInsQueryOptions } from "../api/generated/client/identity/identity";

/** Asks for what the page of the sign-ins will ask for. */
export function prefetchSignIns(queries: QueryClient): void {
  void queries.prefetchQuery(getListSignInsQueryOptions());
}
