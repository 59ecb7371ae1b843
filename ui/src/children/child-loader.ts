import type { QueryClient } from "@tanstack/react-query";
import type { LoaderFunction } from "react-router";

import { childrenQuery, prefetchChildren } from "./children";
import { isKnownChild } from "./known-children";
import { prefetchLoader } from "../identity/prefetch";
import { idIn } from "../paths";

type PrefetchChildNotice = (childId: number, search: URLSearchParams) => unknown;

/**
 * The loader of a child's page. While the list of children is still loading, it prefetches only if the child was in the
 * list of the last visit. It makes no request for a child that is not in the list.
 */
export function childLoader(queries: QueryClient, prefetch: PrefetchChildNotice): LoaderFunction {
  return prefetchLoader((guardian, { params, request }) => {
    prefetchChildren(queries);
    const childId = idIn(params["childId"]);
    if (childId === null) return;
    const list = queries.getQueryData(childrenQuery.queryKey)?.data;
    const listed = list?.some(({ child_id }) => child_id === childId) ?? isKnownChild(guardian.id, childId);
    if (listed) prefetch(childId, new URL(request.url).searchParams);
  });
}
