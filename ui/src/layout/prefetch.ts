import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation, useMatches } from "react-router";

import { useChildren } from "../children/children";
import { idIn } from "../paths";

/** In the `handle` of a child's page: asks the server for what the page will ask for, before the page is there. */
export class Prefetch {
  readonly ask: (queries: QueryClient, childId: number, search: URLSearchParams) => void;

  constructor(ask: Prefetch["ask"]) {
    this.ask = ask;
  }
}

/**
 * Asks for what the opened page shows at the same time as for the list of children, although only that list says
 * whether the page is shown. The server answers for no child but the guardian's own. Once the list is there, the pages
 * ask for themselves.
 */
export function usePrefetch() {
  const queries = useQueryClient();
  const { list } = useChildren();
  const { search } = useLocation();
  const page = useMatches().at(-1);
  const handle: unknown = page?.handle;
  const childId = idIn(page?.params["childId"]);
  const loading = list.status === "loading";
  useEffect(() => {
    if (!loading || childId === null || !(handle instanceof Prefetch)) return;
    handle.ask(queries, childId, new URLSearchParams(search));
  }, [loading, handle, childId, search, queries]);
}
