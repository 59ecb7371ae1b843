import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";

import { type Change, type Editing, type EditingAction, editingReducer, initialEditing } from "./editing";
import { blockedTopicsQuery, saveChanges, savedListIn, saveSentence } from "./queries";
import { useListBlockedTopics } from "../api/generated/client/blocked-topics/blocked-topics";
import type { Child } from "../children/children";
import { paths } from "../paths";
import { usePageState } from "../ui/page-state";
import { useUnsavedWork } from "../ui/unsaved-work";

/**
 * A child's list on the server, and what this parent is doing to it. Unsaved changes outlive the page, so that a save
 * that fails later loses nothing.
 */
export function useBlockList({ child_id: childId, name }: Child) {
  const queries = useQueryClient();
  const { state: editing, read, write } = usePageState(`block list of ${childId}`, initialEditing, isUnsaved);
  const { note } = useUnsavedWork();
  const { status } = editing;

  const query = useListBlockedTopics(childId, {
    query: { enabled: status.kind !== "saving", select: savedListIn },
  });

  const reduce = useCallback(
    (action: EditingAction) => {
      const loaded = queries.getQueryData(blockedTopicsQuery(childId).queryKey);
      const saved = loaded === undefined ? [] : savedListIn(loaded).topics;
      const next = editingReducer(read(), action, saved);
      write(next);
      note(paths.section(childId, "topic-blocklist"), unsavedSentence(name, next));
      return next;
    },
    [queries, childId, name, read, write, note],
  );
  const { mutate } = useMutation({
    mutationFn: (changes: readonly Change[]) => saveChanges(queries, childId, changes),
    onSuccess: () => reduce({ kind: "save succeeded" }),
    onError: (error) => reduce({ kind: "save failed", sentence: saveSentence(error) }),
  });
  const dispatch = useCallback(
    (action: EditingAction) => {
      const before = read();
      const next = reduce(action);
      if (before.status.kind !== "saving" && next.status.kind === "saving") mutate(next.unsaved);
    },
    [read, reduce, mutate],
  );

  useEffect(() => {
    if (status.kind !== "refused") return undefined;
    const expiry = setTimeout(() => reduce({ kind: "refusal expired" }), status.seconds * 1000);
    return () => clearTimeout(expiry);
  }, [status, reduce]);
  useEffect(() => () => void reduce({ kind: "leave page" }), [reduce]);

  return { query, editing, dispatch };
}

/** The message on other pages about an unsaved change; null if there is none, or while it is being saved. */
function unsavedSentence(name: string, { unsaved, status }: Editing): string | null {
  if (unsaved.length === 0 || status.kind === "saving") return null;
  const reason = status.kind === "failed" ? ` ${status.sentence}` : "";
  return `Your last change to ${name}'s block list is not saved yet.${reason}`;
}

function isUnsaved({ draft, unsaved }: Editing): boolean {
  return draft.trim() !== "" || unsaved.length > 0;
}
