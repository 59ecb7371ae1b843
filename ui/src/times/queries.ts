import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

import { type Editing, editingReducer, initialEditing, unsavedSentence } from "./editing";
import { type Times, type TimesChange, withChanges } from "./times";
import {
  getGetTimesQueryOptions,
  type getTimes,
  replaceTimes,
  useGetTimes,
} from "../api/generated/client/rules/rules";
import { errorMessage } from "../api/problem";
import { guardiansIn, saveOnNewest } from "../api/shared-record";
import type { Child } from "../children/children";
import { useSavedEdit } from "../children/saved-edit";
import { type Section, paths } from "../paths";
import { refetchRules } from "../rules/queries";
import { useUnsavedWork } from "../ui/unsaved-work";

type Answer = Awaited<ReturnType<typeof getTimes>>;

interface SavedTimes {
  times: Times;
  guardians: number;
}

/** The pages that change the times. */
const pages = ["summary", "settings"] as const satisfies readonly Section[];

/** A child's times and this parent's unsaved changes. */
export function useTimes({ child_id: childId, name }: Child, page: (typeof pages)[number]) {
  const queries = useQueryClient();
  const { note } = useUnsavedWork();
  const { state: editing, dispatch } = useSavedEdit({
    name: `times of ${childId}`,
    initial: initialEditing,
    isUnsaved,
    reducer: editingReducer,
    toSend: unsavedOf,
    save: useCallback(
      (changes: readonly TimesChange[]) => saveChanges(queries, childId, changes),
      [queries, childId],
    ),
    saveSentence,
    onState: useCallback(
      (next: Editing) => {
        for (const each of pages)
          note(paths.section(childId, each), each === page ? unsavedSentence(name, next) : null);
      },
      [note, childId, name, page],
    ),
  });
  const { status, unsaved } = editing;
  const query = useGetTimes(childId, {
    query: {
      enabled: status.kind !== "saving",
      select: (answer): SavedTimes => ({
        times: withChanges(answer.data, unsaved),
        guardians: guardiansIn(answer),
      }),
    },
  });
  return { query, status, saving: status.kind === "saving", dispatch };
}

/** Applies changes to the server's latest times and sends all of them. */
async function saveChanges(
  queries: QueryClient,
  childId: number,
  changes: readonly TimesChange[],
): Promise<void> {
  await saveOnNewest<Answer>(queries, getGetTimesQueryOptions(childId), async (loaded, init) =>
    replaceTimes(childId, withChanges(loaded.data, changes), init),
  );
  refetchRules(queries, childId);
}

export function loadSentence(error: unknown): string {
  return `Error loading the times: ${errorMessage(error, "An unknown error occurred while fetching the times.")}`;
}

export function saveSentence(error: unknown): string {
  return errorMessage(error, "An unknown error occurred during saving.", { alsoMessage: true });
}

function unsavedOf({ unsaved }: Editing): readonly TimesChange[] {
  return unsaved;
}

function isUnsaved({ unsaved }: Editing): boolean {
  return unsaved.length > 0;
}
