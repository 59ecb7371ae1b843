import { useEffect } from "react";

import { type Editing, type EditingAction, editingReducer, initialEditing } from "./editing";
import { type Answer, type SavedList, blockedTopicsQuery, saveChanges, savedListIn } from "./queries";
import type { Child } from "../children/children";
import { isUnsaved, unsavedSentence } from "../rules/saved-edit";
import { type EditedRecord, useSavedEdit } from "../rules/use-saved-edit";

const blockList: EditedRecord<Answer, SavedList, Editing, EditingAction> = {
  what: "block list",
  pages: ["topic-blocklist"],
  query: blockedTopicsQuery,
  read: savedListIn,
  initial: initialEditing,
  reduce: (state, action, saved) => editingReducer(state, action, saved?.topics ?? []),
  holdsInput: (state) => state.draft.trim() !== "" || isUnsaved(state),
  save: saveChanges,
  unsavedSentence,
};

/** A child's list on the server, and what this parent is doing to it. */
export function useBlockList(child: Child) {
  const { query, editing, dispatch } = useSavedEdit(child, "topic-blocklist", blockList);
  const { status } = editing;
  useEffect(() => {
    if (status.kind !== "refused") return undefined;
    const expiry = setTimeout(() => dispatch({ kind: "refusal expired" }), status.seconds * 1000);
    return () => clearTimeout(expiry);
  }, [status, dispatch]);
  return { query, editing, dispatch };
}
