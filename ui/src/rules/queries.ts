import { msg } from "@lingui/core/macro";
import type { QueryClient } from "@tanstack/react-query";

import { getListHistoryInfiniteQueryKey } from "../api/generated/client/children/children";
import { getGetReceiptsQueryKey, getGetRulesQueryKey } from "../api/generated/client/rules/rules";
import { getGetTalkStatusQueryKey } from "../api/generated/client/talk/talk";
import type { ErrorTexts } from "../api/problem";

/** Refetches what depends on a child's rules, after a guardian changed a part of them. */
export function refetchRules(queries: QueryClient, childId: number): void {
  for (const queryKey of [
    getGetRulesQueryKey(childId),
    getGetReceiptsQueryKey(childId),
    getGetTalkStatusQueryKey(childId),
    getListHistoryInfiniteQueryKey(childId),
  ]) {
    void queries.invalidateQueries({ queryKey });
  }
}

export const errorTexts = {
  save: { fallback: msg`An unknown error occurred during saving.`, alsoMessage: true },
} satisfies ErrorTexts;
