import type { QueryClient } from "@tanstack/react-query";

import {
  type getContext,
  getGetContextQueryOptions,
  replaceContext,
} from "../api/generated/client/rules/rules";
import { errorMessage } from "../api/problem";
import { guardiansIn, headersAfter, ifMatch, isConflict, tagIn } from "../api/shared-record";
import { refetchRules } from "../rules/queries";

type Answer = Awaited<ReturnType<typeof getContext>>;

export interface SavedContext {
  text: string;
  /** For `If-Match`. */
  tag: string | null;
  guardians: number;
}

/** An unsaved text, and the version that it replaces. */
export interface Draft {
  text: string;
  tag: string | null;
}

export function savedContextIn(answer: Answer): SavedContext {
  return { text: answer.data.text, tag: tagIn(answer), guardians: guardiansIn(answer) };
}

/** Saves a text. After a conflict, loads the other guardian's text and returns false. */
export async function saveContext(queries: QueryClient, childId: number, draft: Draft): Promise<boolean> {
  const query = getGetContextQueryOptions(childId);
  // A response still in flight would overwrite the saved text.
  await queries.cancelQueries({ queryKey: query.queryKey });
  try {
    const saved = await replaceContext(childId, { text: draft.text }, ifMatch(draft.tag));
    const headers = headersAfter(queries.getQueryData(query.queryKey), saved);
    queries.setQueryData(query.queryKey, { ...saved, headers });
    refetchRules(queries, childId);
    return true;
  } catch (error) {
    if (!isConflict(error)) throw error;
    await queries.fetchQuery({ ...query, staleTime: 0 });
    return false;
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
