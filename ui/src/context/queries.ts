import type { QueryClient } from "@tanstack/react-query";

import {
  type getContext,
  getGetContextQueryOptions,
  replaceContext,
} from "../api/generated/client/rules/rules";
import { guardiansIn, saveOnVersion, tagIn } from "../api/shared-record";
import type { Child } from "../children/children";
import {
  type Editing,
  type EditingAction,
  editingReducer,
  initialEditing,
  isUnsaved,
  lastChangeUnsaved,
} from "../rules/saved-edit";
import { type EditedRecord, useSavedEdit } from "../rules/use-saved-edit";

type Answer = Awaited<ReturnType<typeof getContext>>;

export interface SavedContext {
  text: string;
  /** For `If-Match`. */
  tag: string | null;
  guardians: number;
}

/** An unsaved text. */
export interface Draft {
  text: string;
  /** The version that was edited. */
  tag: string | null;
  /** The newer version that the guardian has seen and overwrites. */
  overwrites?: string | null;
}

const editedContext: EditedRecord<Answer, SavedContext, Editing<Draft>, EditingAction<Draft>> = {
  what: "context",
  pages: ["context"],
  query: (childId) => getGetContextQueryOptions(childId),
  read: savedContextIn,
  initial: initialEditing,
  reduce: editingReducer,
  holdsInput: isUnsaved,
  save: saveContext,
  unsavedSentence: (name, editing) => (isUnsaved(editing) ? lastChangeUnsaved(name) : null),
};

export function useContext(child: Child) {
  return useSavedEdit(child, "context", editedContext);
}

function savedContextIn(answer: Answer): SavedContext {
  return { text: answer.data.text, tag: tagIn(answer), guardians: guardiansIn(answer) };
}

/** Saves the draft. After a conflict, loads the other guardian's text and returns false. */
async function saveContext(
  queries: QueryClient,
  childId: number,
  [draft]: readonly Draft[],
): Promise<boolean> {
  if (draft === undefined) return true;
  const { text, tag, overwrites = tag } = draft;
  const query = getGetContextQueryOptions(childId);
  const conflict = await saveOnVersion(queries, query, overwrites, async (init) =>
    replaceContext(childId, { text }, init),
  );
  return conflict === null;
}
