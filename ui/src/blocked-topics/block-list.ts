import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";

import { type Change, type Editing, type EditingAction, editingReducer, initialEditing } from "./editing";
import { blockedTopicsQuery, saveChanges, savedListIn, saveSentence } from "./queries";
import { useListBlockedTopics } from "../api/generated/client/blocked-topics/blocked-topics";
import type { Child } from "../children/children";
import { type SaveAction, useSavedEdit } from "../children/saved-edit";
import { paths } from "../paths";
import { useUnsavedWork } from "../ui/unsaved-work";

/** A child's list on the server, and what this parent is doing to it. */
export function useBlockList({ child_id: childId, name }: Child) {
  const queries = useQueryClient();
  const { note } = useUnsavedWork();
  const reducer = useCallback(
    (before: Editing, action: EditingAction | SaveAction) => {
      const loaded = queries.getQueryData(blockedTopicsQuery(childId).queryKey);
      return editingReducer(before, action, loaded === undefined ? [] : savedListIn(loaded).topics);
    },
    [queries, childId],
  );
  const { state: editing, dispatch } = useSavedEdit({
    name: `block list of ${childId}`,
    initial: initialEditing,
    isUnsaved,
    reducer,
    toSend: unsavedOf,
    save: useCallback(
      (changes: readonly Change[]) => saveChanges(queries, childId, changes),
      [queries, childId],
    ),
    saveSentence,
    onState: useCallback(
      (next: Editing) => note(paths.section(childId, "topic-blocklist"), unsavedSentence(name, next)),
      [note, childId, name],
    ),
  });
  const { status } = editing;
  const query = useListBlockedTopics(childId, {
    query: { enabled: status.kind !== "saving", select: savedListIn },
  });
  useEffect(() => {
    if (status.kind !== "refused") return undefined;
    const expiry = setTimeout(() => dispatch({ kind: "refusal expired" }), status.seconds * 1000);
    return () => clearTimeout(expiry);
  }, [status, dispatch]);
  return { query, editing, dispatch };
}

/** The message on other pages about an unsaved change; null if there is none, or while it is being saved. */
function unsavedSentence(name: string, { unsaved, status }: Editing): string | null {
  if (unsaved.length === 0 || status.kind === "saving") return null;
  const reason = status.kind === "failed" ? ` ${status.sentence}` : "";
  return `Your last change to ${name}'s block list is not saved yet.${reason}`;
}

function unsavedOf({ unsaved }: Editing): readonly Change[] {
  return unsaved;
}

function isUnsaved({ draft, unsaved }: Editing): boolean {
  return draft.trim() !== "" || unsaved.length > 0;
}
