import { useMutation, useMutationState, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { type SettingsChange, withChange } from "./settings";
import {
  getGetSubscriptionQueryOptions,
  type getSubscription,
  replaceSubscription,
} from "../api/generated/client/subscription/subscription";
import { saveOnNewest } from "../api/shared-record";

type Answer = Awaited<ReturnType<typeof getSubscription>>;

const CHANGE = ["change subscription"] as const;

/** The guardian's subscription, with the changes that are being saved. */
export function useSubscription() {
  const pending = useMutationState({
    filters: { mutationKey: CHANGE, status: "pending" },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- mutations with this key have these variables
    select: ({ state }) => state.variables as SettingsChange,
  });
  return useQuery({
    ...getGetSubscriptionQueryOptions(),
    select: ({ data }: Answer) => ({ ...data, settings: pending.reduce(withChange, data.settings) }),
  });
}

/** Saves changes of one control. They are saved one after the other; after a conflict a change is repeated on the newest settings. */
export function useSave() {
  const queries = useQueryClient();
  const save = useMutation({
    mutationKey: CHANGE,
    scope: { id: "subscription" },
    mutationFn: async (change: SettingsChange) =>
      saveOnNewest<Answer>(queries, getGetSubscriptionQueryOptions(), async (loaded, init) =>
        replaceSubscription(withChange(loaded.data.settings, change), init),
      ),
  });
  const submitted = useMutationState({
    filters: { mutationKey: CHANGE },
    select: ({ state }) => state.submittedAt,
  });
  return {
    save,
    /** Whether its last change is saved, and no other control was changed since. */
    isSaved: save.isSuccess && save.submittedAt >= Math.max(...submitted),
  };
}

/** A value of a control, shown as chosen at once, and until it is saved or refused. */
export function useChosen<Value>(present: Value, save: Save) {
  const [chosen, setChosen] = useState<Value | undefined>(undefined);
  return {
    shown: chosen ?? present,
    choose: (value: Value, change: SettingsChange) => {
      setChosen(value);
      save.mutate(change, { onSettled: () => setChosen(undefined) });
    },
  };
}

export type Save = ReturnType<typeof useSave>["save"];
