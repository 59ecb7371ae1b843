import type { QueryClient } from "@tanstack/react-query";
import type { LoaderFunction } from "react-router";

import { childrenQuery } from "./children";
import { isKnownChild } from "./known-children";
import { prefetchLoader } from "../identity/prefetch";
import { idIn } from "../paths";

type PrefetchForChild = (queries: QueryClient, childId: number, search: URLSearchParams) => void;

/**
 * The loader of a child's page. When the app is opened, it asks together with the list of children if the child was in
 * that list at the last visit. Nothing is asked about a child that is not in the list.
 */
export function childLoader(queries: QueryClient, prefetch: PrefetchForChild): LoaderFunction {
  return prefetchLoader((guardian, { params, request }) => {
    const childId = idIn(params["childId"]);
    if (childId === null) return;
    const list = queries.getQueryData(childrenQuery.queryKey)?.data;
    const listed = list?.some(({ child_id }) => child_id === childId) ?? isKnownChild(guardian.id, childId);
    if (listed) prefetch(queries, childId, new URL(request.url).searchParams);
  });
}
