import type { QueryClient } from "@tanstack/react-query";

import { type Change, withChanges } from "./editing";
import {
  getListBlockedTopicsQueryOptions,
  type listBlockedTopics,
  replaceBlockedTopics,
} from "../api/generated/client/blocked-topics/blocked-topics";
import { RequestFailed, sentenceOf } from "../api/problem";

type Answer = Awaited<ReturnType<typeof listBlockedTopics>>;

/** A child's own topics as the server has them. They are sent back to it, so their texts stay as they are. */
export interface SavedList {
  topics: readonly string[];
  /** The version of the list, for `If-Match`; null if the server sent none. */
  tag: string | null;
  /** How many guardians see and change it. */
  guardians: number;
}

export const blockedTopicsQuery = (childId: number) => getListBlockedTopicsQueryOptions(childId);

export function savedListIn({ data, headers }: Answer): SavedList {
  return {
    topics: topicsIn(data) ?? [],
    tag: headers.get("ETag"),
    guardians: Number(headers.get("Porchlight-Guardians") ?? 1),
  };
}

/** A list of strings, each once; null when it is anything else. */
function topicsIn(answer: unknown): string[] | null {
  if (!Array.isArray(answer)) return null;
  const texts = answer.filter((item) => typeof item === "string");
  return texts.length === answer.length ? [...new Set(texts)] : null;
}

/** The answer to a save is a list, or an object with a `topics` list; null when neither. */
function topicsAnswered(answer: unknown): string[] | null {
  if (typeof answer === "object" && answer !== null && "topics" in answer) return topicsIn(answer.topics);
  return topicsIn(answer);
}

/** After this many conflicts with other guardians' changes a save fails. */
const MAX_TRIES = 4;

/**
 * Saves changes: sends the whole list, if the server still has the version that was changed. If another guardian changed
 * it meanwhile, loads theirs and makes the same changes to it.
 */
export async function saveChanges(
  queries: QueryClient,
  childId: number,
  changes: readonly Change[],
): Promise<void> {
  const query = blockedTopicsQuery(childId);
  // An answer that is still on its way would bring back the list from before.
  await queries.cancelQueries({ queryKey: query.queryKey });
  for (let tries = 1; ; tries += 1) {
    const loaded = await queries.ensureQueryData(query);
    const { topics, tag } = savedListIn(loaded);
    const sent = withChanges(topics, changes);
    try {
      const { data, headers } = await replaceBlockedTopics(
        childId,
        sent,
        tag === null ? {} : { headers: { "If-Match": tag } },
      );
      const saved: Answer = {
        ...loaded,
        data: topicsAnswered(data) ?? sent,
        headers: withTag(loaded.headers, headers.get("ETag")),
      };
      queries.setQueryData(query.queryKey, saved);
      return;
    } catch (error) {
      const conflict = error instanceof RequestFailed && error.status === 412;
      if (!conflict || tries === MAX_TRIES) throw error;
      await queries.fetchQuery({ ...query, staleTime: 0 });
    }
  }
}

function withTag(before: Headers, tag: string | null): Headers {
  const headers = new Headers(before);
  if (tag === null) headers.delete("ETag");
  else headers.set("ETag", tag);
  return headers;
}

export function loadSentence(error: unknown): string {
  return sentenceOf(error, "An unknown error occurred fetching blocked topics.");
}

export function saveSentence(error: unknown): string {
  return sentenceOf(error, "An unknown error occurred during saving.", { alsoMessage: true });
}
