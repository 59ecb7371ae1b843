import { queryOptions } from "@tanstack/react-query";
import { createContext, use } from "react";
import { useParams } from "react-router";

import { getListChildrenQueryKey, listChildren } from "../api/generated/client/children/children";
import type { components } from "../api/generated/schema";
import { RequestFailed, nobodyAnswered, sentenceOf } from "../api/problem";
import { ASK_AGAIN_MS, HEARTBEAT } from "../api/query-client";

export type Child = components["schemas"]["Child"];

/** The children of the guardian, or why there are none to show. */
export type ChildrenList =
  | { kind: "loading" }
  | { kind: "failed"; sentence: string; retry: () => void }
  | { kind: "loaded"; children: readonly Child[] };

export interface ChildrenAccess {
  list: ChildrenList;
  /** The selected child: the one last chosen, else the first; null while there is no list, or an empty one. */
  selected: Child | null;
  /** Selects a child of the list; any other id is ignored. */
  select: (childId: number) => void;
}

export const ChildrenContext = createContext<ChildrenAccess | null>(null);

export function useChildren(): ChildrenAccess {
  const access = use(ChildrenContext);
  if (access === null) throw new Error("useChildren is called outside ChildrenProvider.");
  return access;
}

/** The child that the address names, compared as text; null when it is not in the list. */
export function findNamedChild(list: ChildrenList, childId: string | null | undefined): Child | null {
  if (list.kind !== "loaded") return null;
  return list.children.find((child) => String(child.child_id) === childId) ?? null;
}

/** The child whose page this is; null when the address names one that is not in the list. */
export function useNamedChild(): Child | null {
  const { list } = useChildren();
  return findNamedChild(list, useParams()["childId"]);
}

/** The selection that holds for a list: the chosen child if it is there, else the first one. */
export function selectedOf(list: ChildrenList, chosenId: number | null): Child | null {
  if (list.kind !== "loaded") return null;
  return list.children.find((child) => child.child_id === chosenId) ?? list.children[0] ?? null;
}

/** The guardian's children. It goes on being asked for while nobody answers, and so notices when the connection is back. */
export const childrenQuery = queryOptions({
  queryKey: getListChildrenQueryKey(),
  queryFn: async ({ signal }) => {
    const answer = await listChildren({ signal });
    if (!Array.isArray(answer.data))
      throw new RequestFailed("The answer is no list of children.", { status: answer.status });
    return answer;
  },
  refetchInterval: ({ state }) => nobodyAnswered(state.error) && ASK_AGAIN_MS,
  meta: HEARTBEAT,
});

/** Why the list of children is not there. */
export function childrenSentence(error: unknown): string {
  return sentenceOf(error, "An unknown error occurred while fetching children.");
}
