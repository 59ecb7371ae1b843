import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

import { type Draft, type Editing, type SaveResult, editingReducer, initialEditing } from "./editing";
import {
  type getContext,
  getGetContextQueryOptions,
  replaceContext,
} from "../api/generated/client/rules/rules";
import { errorMessage } from "../api/problem";
import { guardiansIn, headersAfter, ifMatch, isConflict, tagIn } from "../api/shared-record";
import type { Child } from "../children/children";
import { useSavedEdit } from "../children/saved-edit";
import { paths } from "../paths";
import { refetchRules } from "../rules/queries";
import { useUnsavedWork } from "../ui/unsaved-work";

type Answer = Awaited<ReturnType<typeof getContext>>;

export interface SavedContext {
  text: string;
  /** For `If-Match`. */
  tag: string | null;
  guardians: number;
}

export function savedContextIn(answer: Answer): SavedContext {
  return { text: answer.data.text, tag: tagIn(answer), guardians: guardiansIn(answer) };
}

/** This parent's unsaved text, if any. */
export function useContextEdit({ child_id: childId, name }: Child) {
  const queries = useQueryClient();
  const { note } = useUnsavedWork();
  return useSavedEdit({
    name: `context of ${childId}`,
    initial: initialEditing,
    isUnsaved,
    reducer: editingReducer,
    toSend: draftOf,
    save: useCallback(
      async (draft: Draft | null) => (draft === null ? "kept" : saveContext(queries, childId, draft)),
      [queries, childId],
    ),
    saveSentence,
    onState: useCallback(
      ({ draft }: Editing) =>
        note(paths.section(childId, "context"), draft && `The context for ${name} is not saved yet.`),
      [note, childId, name],
    ),
  });
}

function isUnsaved({ draft }: Editing): boolean {
  return draft !== null;
}

function draftOf({ draft }: Editing): Draft | null {
  return draft;
}

/** Saves a text. After a conflict, loads the other guardian's text. */
async function saveContext(queries: QueryClient, childId: number, draft: Draft): Promise<SaveResult> {
  const query = getGetContextQueryOptions(childId);
  // A response still in flight would overwrite the saved text.
  await queries.cancelQueries({ queryKey: query.queryKey });
  try {
    const saved = await replaceContext(childId, { text: draft.text }, ifMatch(draft.tag));
    const headers = headersAfter(queries.getQueryData(query.queryKey), saved);
    queries.setQueryData(query.queryKey, { ...saved, headers });
    refetchRules(queries, childId);
    return "kept";
  } catch (error) {
    if (!isConflict(error)) throw error;
    await queries.fetchQuery({ ...query, staleTime: 0 });
    return "conflict";
  }
}

export function loadSentence(error: unknown): string {
  return `Error loading the context: ${errorMessage(error, "An unknown error occurred while fetching the context.")}`;
}

export function previewSentence(error: unknown): string {
  return errorMessage(error, "An unknown error occurred while fetching what the assistant gets.");
}

export function saveSentence(error: unknown): string {
  return errorMessage(error, "An unknown error occurred during saving.");
}
