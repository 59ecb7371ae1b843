/** How a child's own topics are asked for. */
import { type QueryClient, queryOptions } from "@tanstack/react-query";

import {
  getListBlockedTopicsQueryKey,
  listBlockedTopics,
} from "../api/generated/client/blocked-topics/blocked-topics";

/** A child's own topics as the server keeps them. */
export interface KeptList {
  topics: readonly string[];
  /** What the server recognises this very list by; null if it didn't say. */
  tag: string | null;
  /** How many guardians see and change it. */
  guardians: number;
}

export function keptList(childId: number) {
  return queryOptions({
    queryKey: getListBlockedTopicsQueryKey(childId),
    queryFn: ({ signal }) => loadList(childId, signal),
  });
}

export async function loadList(childId: number, signal?: AbortSignal): Promise<KeptList> {
  const { data, headers } = await listBlockedTopics(childId, signal === undefined ? {} : { signal });
  return {
    topics: topicsIn(data) ?? [],
    tag: headers.get("ETag"),
    guardians: Number(headers.get("Porchlight-Guardians") ?? 1),
  };
}

/** A list of texts, each once; null when it is anything else. */
export function topicsIn(answer: unknown): string[] | null {
  if (!Array.isArray(answer)) return null;
  const texts = answer.filter((item) => typeof item === "string");
  return texts.length === answer.length ? [...new Set(texts)] : null;
}

/** Asks for what the block list's page will ask for. */
export function prefetchBlockedTopics(queries: QueryClient, childId: number): void {
  void queries.prefetchQuery(keptList(childId));
}
