import { msg } from "@lingui/core/macro";
import type { QueryClient } from "@tanstack/react-query";

import { type Change, withChanges } from "./editing";
import {
  getListBlockedTopicsQueryOptions,
  type listBlockedTopics,
  replaceBlockedTopics,
} from "../api/generated/client/blocked-topics/blocked-topics";
import type { ErrorTexts } from "../api/problem";
import { guardiansIn, saveOnNewest } from "../api/shared-record";

export type Answer = Awaited<ReturnType<typeof listBlockedTopics>>;

/** A child's own topics on the server. They are sent back, so their texts are unchanged. */
export interface SavedList {
  topics: readonly string[];
  guardians: number;
}

export const blockedTopicsQuery = (childId: number) => getListBlockedTopicsQueryOptions(childId);

export function savedListIn(answer: Answer): SavedList {
  return { topics: topicsIn(answer.data) ?? [], guardians: guardiansIn(answer) };
}

/** The list without duplicates; null unless it is a list of strings. */
function topicsIn(answer: unknown): string[] | null {
  if (!Array.isArray(answer)) return null;
  const texts = answer.filter((item) => typeof item === "string");
  return texts.length === answer.length ? [...new Set(texts)] : null;
}

/** The response to a save: a list, or an object with a `topics` list; null if neither. */
function topicsAnswered(answer: unknown): string[] | null {
  if (typeof answer === "object" && answer !== null && "topics" in answer) return topicsIn(answer.topics);
  return topicsIn(answer);
}

/** Applies changes to the server's latest list and sends the whole list. */
export async function saveChanges(
  queries: QueryClient,
  childId: number,
  changes: readonly Change[],
): Promise<true> {
  await saveOnNewest<Answer>(queries, blockedTopicsQuery(childId), async (loaded, init) => {
    const sent = withChanges(savedListIn(loaded).topics, changes);
    const saved = await replaceBlockedTopics(childId, sent, init);
    return { ...saved, data: topicsAnswered(saved.data) ?? sent };
  });
  return true;
}

export const errorTexts = {
  load: msg`An unknown error occurred fetching blocked topics.`,
} satisfies ErrorTexts;
