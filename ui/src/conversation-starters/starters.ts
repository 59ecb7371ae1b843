import { useQueryClient } from "@tanstack/react-query";

import {
  getGetConversationStartersQueryKey,
  useHideConversationStarter,
  useSwitchConversationStarters,
} from "../api/generated/client/curious/curious";
import type { components } from "../api/generated/schema";

export type ConversationStarter = components["schemas"]["ConversationStarter"];

/** Hides a question for oneself. */
export function useHide(childId: number) {
  return useHideConversationStarter({ mutation: { onSuccess: useRefetch(childId) } });
}

/** Turns the questions on or off for all guardians. */
export function useSwitch(childId: number) {
  return useSwitchConversationStarters({ mutation: { onSuccess: useRefetch(childId) } });
}

function useRefetch(childId: number) {
  const queries = useQueryClient();
  return async () => queries.invalidateQueries({ queryKey: getGetConversationStartersQueryKey(childId) });
}
