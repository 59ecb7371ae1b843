import type { QueryClient } from "@tanstack/react-query";

import { type Change, withChanges } from "./editing";
import { type KeptList, keptList, loadList, topicsIn } from "./kept-list";
import { replaceBlockedTopics } from "../api/generated/client/blocked-topics/blocked-topics";
import { RequestFailed } from "../api/problem";

/** Guardians who keep editing at the same moment hear of it after this many tries. */
const MOST_TRIES = 4;

/**
 * Has the changes kept: the whole list is sent, if it is still the one that was changed. If somebody else changed it
 * meanwhile, theirs is loaded and the same changes are made to it.
 */
export async function saveChanges(
  queries: QueryClient,
  childId: number,
  changes: readonly Change[],
): Promise<void> {
  const { queryKey } = keptList(childId);
  // An answer that is still on its way would bring back the list from before.
  await queries.cancelQueries({ queryKey });
  for (let tries = 1; ; tries += 1) {
    const kept = queries.getQueryData<KeptList>(queryKey) ?? (await loadList(childId));
    const sent = withChanges(kept.topics, changes);
    try {
      const { data, headers } = await replaceBlockedTopics(
        childId,
        sent,
        kept.tag === null ? {} : { headers: { "If-Match": kept.tag } },
      );
      queries.setQueryData<KeptList>(queryKey, {
        ...kept,
        topics: topicsAnswered(data) ?? sent,
        tag: headers.get("ETag"),
      });
      return;
    } catch (error) {
      if (!isChangedMeanwhile(error) || tries === MOST_TRIES) throw error;
      queries.setQueryData<KeptList>(queryKey, await loadList(childId));
    }
  }
}

/** What a save answers with: a list, or an object with a `topics` list; null when neither. */
export function topicsAnswered(answer: unknown): string[] | null {
  if (typeof answer === "object" && answer !== null && "topics" in answer) return topicsIn(answer.topics);
  return topicsIn(answer);
}

function isChangedMeanwhile(error: unknown): boolean {
  return error instanceof RequestFailed && error.status === 412;
}
