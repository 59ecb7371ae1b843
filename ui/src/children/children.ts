import { msg } from "@lingui/core/macro";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { createContext, use } from "react";

import { getListChildrenQueryKey, listChildren } from "../api/generated/client/children/children";
import type { components } from "../api/generated/schema";
import { type ErrorTexts, isAway } from "../api/problem";
import { RETRY_MS, HEARTBEAT } from "../api/query-client";

export type Child = components["schemas"]["Child"];

/** The state of the list of children. */
export type ChildrenList =
  | { kind: "loading" }
  | { kind: "failed"; sentence: string; retry: () => void }
  | { kind: "loaded"; children: readonly Child[] };

export interface ChildrenAccess {
  list: ChildrenList;
  /** The child chosen last, else the first one; null if the list is not loaded or empty. */
  selected: Child | null;
  /** Selects a child; an id that is not in the list is ignored. */
  select: (childId: number) => void;
}

export const ChildrenContext = createContext<ChildrenAccess | null>(null);

export function useChildren(): ChildrenAccess {
  const access = use(ChildrenContext);
  if (access === null) throw new Error("useChildren is called outside ChildrenProvider.");
  return access;
}

/** The child with this id from the address, compared as text; null if it is not in the list. */
export function findNamedChild(list: ChildrenList, childId: string | null | undefined): Child | null {
  if (list.kind !== "loaded") return null;
  return list.children.find((child) => String(child.child_id) === childId) ?? null;
}

/** The guardian's children. While the server is away the query is retried, which detects when it is back. */
export const childrenQuery = queryOptions({
  queryKey: getListChildrenQueryKey(),
  queryFn: async ({ signal }) => listChildren({ signal }),
  refetchInterval: ({ state }) => isAway(state.error) && RETRY_MS,
  meta: HEARTBEAT,
});

/** Requests the children before the first render, unless they are known. It has no signal, because effects that run twice would abort it. */
export function prefetchChildren(queries: QueryClient): void {
  if (queries.getQueryData(childrenQuery.queryKey) !== undefined) return;
  void queries.prefetchQuery({ ...childrenQuery, queryFn: async () => listChildren() });
}

export const errorTexts = {
  load: msg`An unknown error occurred while fetching children.`,
} satisfies ErrorTexts;
