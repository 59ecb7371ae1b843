import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import { type Act, type Change, after, screenOf, untouched } from "./editing";
import { saveChanges } from "./save-changes";
import { keptList } from "./kept-list";
import { sentenceOf } from "../api/problem";

export type BlockList = ReturnType<typeof useBlockList>;

/** A child's list: what is shown of it, what is being done to it, and how to do something. */
export function useBlockList(childId: number) {
  const queries = useQueryClient();
  const [editing, setEditing] = useState(untouched);
  const { unsaved, doing } = editing;

  const { data, error, isFetching, refetch } = useQuery({
    ...keptList(childId),
    enabled: doing.is !== "saving",
  });
  const { mutate } = useMutation({
    mutationFn: (changes: readonly Change[]) => saveChanges(queries, childId, changes),
  });

  // Two acts may come before React shows the first one's outcome; the second must not start a second save.
  const latest = useRef(untouched);
  const settle = useCallback(
    (act: Act) => {
      const kept = queries.getQueryData(keptList(childId).queryKey);
      latest.current = after(latest.current, act, kept?.topics ?? []);
      setEditing(latest.current);
      return latest.current;
    },
    [queries, childId],
  );
  const act = useCallback(
    (next: Act) => {
      const before = latest.current;
      const now = settle(next);
      if (before.doing.is === "saving" || now.doing.is !== "saving") return;
      mutate(now.unsaved, {
        onSuccess: () => settle({ act: "save succeeds" }),
        onError: (failure) => settle({ act: "save fails", sentence: saveSentence(failure) }),
      });
    },
    [settle, mutate],
  );

  useEffect(() => {
    if (doing.is !== "refused") return undefined;
    const leaving = setTimeout(() => settle({ act: "sentence leaves" }), doing.seconds * 1000);
    return () => clearTimeout(leaving);
  }, [doing, settle]);

  const failure = error === null ? null : loadSentence(error);
  const screen = useMemo(() => screenOf({ failure, kept: data }, unsaved), [failure, data, unsaved]);
  return { screen, editing, act, reload: () => void refetch(), reloading: isFetching };
}

export function loadSentence(error: unknown): string {
  return sentenceOf(error, "An unknown error occurred fetching blocked topics.");
}

export function saveSentence(error: unknown): string {
  return sentenceOf(error, "An unknown error occurred during saving.", { alsoMessage: true });
}
