import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";

import { type Act, type Change, type Editing, after, screenOf, untouched } from "./editing";
import { saveChanges } from "./save-changes";
import { keptList } from "./kept-list";
import { mayPass, sentenceOf } from "../api/problem";
import type { Child } from "../children/children";
import { plainText } from "../format/plain-text";
import { paths } from "../paths";
import { usePageState } from "../ui/page-state";
import { useUnsavedWork } from "../ui/unsaved-work";

export type BlockList = ReturnType<typeof useBlockList>;

/**
 * A child's list: what is shown of it, what is being done to it, and how to do something. A change that is not saved
 * outlives the page, so that a save that fails later loses nothing.
 */
export function useBlockList({ child_id: childId, name }: Child) {
  const queries = useQueryClient();
  const { state: editing, read, write } = usePageState(`block list of ${childId}`, untouched);
  const { note } = useUnsavedWork();
  const { unsaved, doing } = editing;

  const { data, error, isFetching, refetch } = useQuery({
    ...keptList(childId),
    enabled: doing.is !== "saving",
  });

  const settle = useCallback(
    (act: Act) => {
      const kept = queries.getQueryData(keptList(childId).queryKey);
      const now = after(read(), act, kept?.topics ?? []);
      write(now);
      note(paths.section(childId, "topic-blocklist"), unsavedSentence(name, now));
      return now;
    },
    [queries, childId, name, read, write, note],
  );
  const { mutate } = useMutation({
    mutationFn: (changes: readonly Change[]) => saveChanges(queries, childId, changes),
    onSuccess: () => settle({ act: "save succeeds" }),
    onError: (failure) => settle({ act: "save fails", sentence: saveSentence(failure) }),
  });
  const act = useCallback(
    (next: Act) => {
      const before = read();
      const now = settle(next);
      if (before.doing.is !== "saving" && now.doing.is === "saving") mutate(now.unsaved);
    },
    [read, settle, mutate],
  );

  useEffect(() => {
    if (doing.is !== "refused") return undefined;
    const leaving = setTimeout(() => settle({ act: "sentence leaves" }), doing.seconds * 1000);
    return () => clearTimeout(leaving);
  }, [doing, settle]);
  useEffect(() => () => void settle({ act: "leave" }), [settle]);

  // What may pass leaves the list as it was last loaded.
  const failure = error === null || (data !== undefined && mayPass(error)) ? null : loadSentence(error);
  const screen = useMemo(() => screenOf({ failure, kept: data }, unsaved), [failure, data, unsaved]);
  return { screen, editing, act, reload: () => void refetch(), reloading: isFetching };
}

/** What another page says while a change is not saved; null when none is, or when it is being saved. */
function unsavedSentence(name: string, { unsaved, doing }: Editing): string | null {
  if (unsaved.length === 0 || doing.is === "saving") return null;
  const why = doing.is === "failed" ? ` ${doing.sentence}` : "";
  return `Your last change to ${plainText(name)}'s block list is not saved yet.${why}`;
}

export function loadSentence(error: unknown): string {
  return sentenceOf(error, "An unknown error occurred fetching blocked topics.");
}

export function saveSentence(error: unknown): string {
  return sentenceOf(error, "An unknown error occurred during saving.", { alsoMessage: true });
}
