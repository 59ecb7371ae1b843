import type { QueryClient } from "@tanstack/react-query";

import {
  type getContext,
  getGetContextQueryOptions,
  getGetRulesQueryOptions,
  replaceContext,
} from "../api/generated/client/rules/rules";
import { RequestFailed, sentenceOf } from "../api/problem";

type Answer = Awaited<ReturnType<typeof getContext>>;

/** A child's context as the server has it. */
export interface SavedContext {
  text: string;
  /** The version of the text, for `If-Match`. */
  tag: string;
  /** How many guardians see and change it. */
  guardians: number;
}

/** A text that is being written, and the version of the one that it replaces. */
export interface Draft {
  text: string;
  tag: string;
}

export function savedContextIn({ data, headers }: Answer): SavedContext {
  return {
    text: data.text,
    tag: headers.get("ETag") ?? "",
    guardians: Number(headers.get("Porchlight-Guardians") ?? 1),
  };
}

/** Saves a text. When another guardian changed it meanwhile, it loads theirs and answers false. */
export async function saveContext(queries: QueryClient, childId: number, draft: Draft): Promise<boolean> {
  const query = getGetContextQueryOptions(childId);
  // An answer that is still on its way would bring back the text from before.
  await queries.cancelQueries({ queryKey: query.queryKey });
  try {
    const saved = await replaceContext(childId, { text: draft.text }, { headers: { "If-Match": draft.tag } });
    const before = queries.getQueryData(query.queryKey);
    const headers = new Headers(before?.headers);
    headers.set("ETag", saved.headers.get("ETag") ?? "");
    queries.setQueryData(query.queryKey, { ...saved, headers });
    void queries.invalidateQueries({ queryKey: getGetRulesQueryOptions(childId).queryKey });
    return true;
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.status !== 412) throw error;
    await queries.fetchQuery({ ...query, staleTime: 0 });
    return false;
  }
}

export function loadSentence(error: unknown): string {
  return `Error loading the context: ${sentenceOf(error, "An unknown error occurred while fetching the context.")}`;
}

export function previewSentence(error: unknown): string {
  return sentenceOf(error, "An unknown error occurred while fetching what the assistant gets.");
}

export function saveSentence(error: unknown): string {
  return sentenceOf(error, "An unknown error occurred during saving.");
}
