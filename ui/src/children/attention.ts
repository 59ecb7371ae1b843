/** What waits for the guardian about a child, as far as another child's page says it. */
import { plural, t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";

export type ChildAttention = components["schemas"]["ChildAttention"];

/** After the child's name; null if nothing rings. */
export function ringingWords({ state, open_alerts: open }: ChildAttention): string | null {
  if (state === "urgent") return t`please look now`;
  if (state !== "alert") return null;
  return plural(open, { one: "# alert", other: "# alerts" });
}
