import { useQueryClient } from "@tanstack/react-query";

import { nameOf } from "./requests";
import { getListChildrenQueryKey } from "../api/generated/client/children/children";
import { getGetHouseholdQueryKey, getGetRequestsQueryKey } from "../api/generated/client/household/household";
import type { components } from "../api/generated/schema";
import { useChildren } from "../children/children";

type Schemas = components["schemas"];

export type OwnAssistant = Schemas["OwnAssistant"];
export type Plugin = Schemas["Plugin"];

/** An assistant with its key, which is shown once. */
export type ConnectedAssistant = Schemas["ConnectedAssistant"];

/** The child's name, or "a child" if it isn't known. */
export function useNameOf(childId: number): string {
  const { list } = useChildren();
  return nameOf(childId, list.kind === "loaded" ? list.children : []);
}

/**
 * Invalidates the queries that a change of the household affects: the household, its requests, the children, histories,
 * connections, for how long conversations are kept, and what needs the guardian.
 */
export function useInvalidateHousehold() {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: getGetHouseholdQueryKey() }),
      queries.invalidateQueries({ queryKey: getGetRequestsQueryKey() }),
      queries.invalidateQueries({ queryKey: getListChildrenQueryKey() }),
      queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.some(isAffected) }),
    ]);
  };
}

function isAffected(key: unknown): boolean {
  return typeof key === "string" && /\/(?:attention|history|connections|retention)$/u.test(key);
}
