/** What waits for the guardian about a child, as far as another child's page says it. */
import { plural, t } from "@lingui/core/macro";

import { useGetAttention } from "../api/generated/client/attention/attention";
import type { components } from "../api/generated/schema";

export type ChildAttention = components["schemas"]["ChildAttention"];

/** In ms. Not all that changes it has an event, so it is refetched when the page is opened. */
const STALE_AFTER = 5000;

export function useAttention() {
  return useGetAttention({ query: { staleTime: STALE_AFTER } });
}

/** The children about whom something urgent waits. */
export function urgentChildren(all: readonly ChildAttention[] = []): ReadonlySet<number> {
  return new Set(all.filter(({ state }) => state === "urgent").map(({ child_id: id }) => id));
}

/** Those about whom something urgent waits come first, then those with an open alert. */
export function gravestFirst<T extends { child_id: number }>(
  children: readonly T[],
  all: readonly ChildAttention[] = [],
): T[] {
  const rank = ({ child_id: childId }: T) => {
    const state = all.find(({ child_id: id }) => id === childId)?.state;
    return state === "urgent" ? 0 : state === "alert" ? 1 : 2;
  };
  return [...children].sort((one, other) => rank(one) - rank(other));
}

/** After the child's name; null if nothing rings. */
export function ringingWords({ state, open_alerts: open }: ChildAttention): string | null {
  if (state === "urgent") return pleaseLookNow();
  if (state !== "alert") return null;
  return plural(open, { one: "# alert", other: "# alerts" });
}

export function pleaseLookNow(): string {
  return t`please look now`;
}
