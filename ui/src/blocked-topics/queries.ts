import type { QueryClient } from "@tanstack/react-query";

import { type Change, withChanges } from "./editing";
import {
  getListBlockedTopicsQueryOptions,
  type listBlockedTopics,
  replaceBlockedTopics,
} from "../api/generated/client/blocked-topics/blocked-topics";
import { errorMessage } from "../api/problem";
import { guardiansIn, saveOnNewest } from "../api/shared-record";
import { refetchRules } from "../rules/queries";

type Answer = Awaited<ReturnType<typeof listBlockedTopics>>;

/** A child's own topics as the server has them. They are sent back to it, so their texts stay as they are. */
export interface SavedList {
  topics: readonly string[];
  /** How many guardians see and change it. */
  guardians: number;
}

export const blockedTopicsQuery = (childId: number) => getListBlockedTopicsQueryOptions(childId);

export function savedListIn(answer: Answer): SavedList {
  return { topics: topicsIn(answer.data) ?? [], guardians: guardiansIn(answer) };
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

/** Saves changes: sends the whole list, with these changes made to the newest one that the server has. */
export async function saveChanges(
  queries: QueryClient,
  childId: number,
  changes: readonly Change[],
): Promise<void> {
  await saveOnNewest<Answer>(queries, blockedTopicsQuery(childId), async (loaded, init) => {
    const sent = withChanges(savedListIn(loaded).topics, changes);
    const saved = await replaceBlockedTopics(childId, sent, init);
    return { ...saved, data: topicsAnswered(saved.data) ?? sent };
  });
  refetchRules(queries, childId);
}

export function loadSentence(error: unknown): string {
  return errorMessage(error, "An unknown error occurred fetching blocked topics.");
}

export function saveSentence(error: unknown): string {
  return errorMessage(error, "An unknown error occurred during saving.", { alsoMessage: true });
}
