import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";

import { type Times, type TimesChange, withChanges } from "./schedule";
import { getGetTimesQueryOptions, type getTimes, replaceTimes } from "../api/generated/client/rules/rules";
import { getGetTalkStatusQueryKey } from "../api/generated/client/talk/talk";
import { guardiansIn, saveOnNewest } from "../api/shared-record";
import type { Child } from "../children/children";
import { refetchRules } from "../rules/queries";
import {
  type Editing,
  type EditingAction,
  editingReducer,
  initialEditing,
  isUnsaved,
  unsavedSentence,
} from "../rules/saved-edit";
import { type EditedRecord, useSavedEdit } from "../rules/use-saved-edit";

type Answer = Awaited<ReturnType<typeof getTimes>>;

interface SavedTimes {
  times: Times;
  guardians: number;
}

type TimesEditing = Editing<TimesChange>;
export type TimesAction = EditingAction<TimesChange>;

const editedTimes: EditedRecord<Answer, SavedTimes, TimesEditing, TimesAction> = {
  what: "times",
  pages: ["settings/times"],
  query: (childId) => getGetTimesQueryOptions(childId),
  // A pause is shown once the server has it: a parent who reads 'Paused' relies on it.
  read: (answer, unsaved) => ({
    times: withChanges(
      answer.data,
      unsaved.filter(({ kind }) => kind !== "pause" && kind !== "end pause"),
    ),
    guardians: guardiansIn(answer),
  }),
  initial: initialEditing,
  reduce: editingReducer,
  holdsInput: isUnsaved,
  save: saveChanges,
  unsavedSentence,
};

/** A child's times with this parent's unsaved changes. */
export function useTimes(child: Child) {
  return useSavedEdit(child, "settings/times", editedTimes);
}

export type PauseChange = Extract<TimesChange, { kind: "pause" | "end pause" }>;

/** Pauses, or ends a pause. It is done once the server has said what it did, so nothing is shown before. */
export function usePause(childId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (change: PauseChange) => {
      await saveChanges(queries, childId, [change]);
      refetchRules(queries, childId);
      await queries.refetchQueries({ queryKey: getGetTalkStatusQueryKey(childId) }, { cancelRefetch: false });
    },
  });
}

/** Applies changes to the server's latest times and sends all of them. */
async function saveChanges(
  queries: QueryClient,
  childId: number,
  changes: readonly TimesChange[],
): Promise<true> {
  await saveOnNewest<Answer>(queries, getGetTimesQueryOptions(childId), async (loaded, init) =>
    replaceTimes(childId, withChanges(loaded.data, changes), init),
  );
  return true;
}
