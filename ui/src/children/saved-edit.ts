import { useMutation } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";

import { usePageState } from "../ui/page-state";

/** The status of the last change to a record. */
export type SaveStatus =
  | { kind: "idle" }
  | { kind: "saving" }
  | { kind: "saved" }
  /** A save failed; the change stays on screen. */
  | { kind: "failed"; sentence: string };

/** The actions of the hook itself. */
export type SaveAction<Result = void> =
  | { kind: "save succeeded"; result?: Result }
  | { kind: "save failed"; sentence: string }
  /** The parent leaves the page; unsaved changes stay. */
  | { kind: "leave page" };

/** All functions must be stable: module functions, or memoized. */
interface SavedEdit<State, Action, Sent, Result> {
  /** Identifies the record. */
  name: string;
  initial: State;
  isUnsaved: (state: State) => boolean;
  /** A state whose status becomes `saving` is sent. */
  reducer: (state: State, action: Action | SaveAction<Result>) => State;
  /** What a save sends. */
  toSend: (state: State) => Sent;
  save: (sent: Sent) => Promise<Result>;
  saveSentence: (error: unknown) => string;
  /** Called with each new state, to report it to other pages. */
  onState: (state: State) => void;
}

/** Edits a record that other guardians edit too. The edit outlives the page, so that a save that fails later loses nothing. */
export function useSavedEdit<State extends { status: { kind: string } }, Action, Sent, Result>({
  name,
  initial,
  isUnsaved,
  reducer,
  toSend,
  save,
  saveSentence,
  onState,
}: SavedEdit<State, Action, Sent, Result>) {
  const { state, read, write } = usePageState(name, initial, isUnsaved);
  const reduce = useCallback(
    (action: Action | SaveAction<Result>): State => {
      const next = reducer(read(), action);
      write(next);
      onState(next);
      return next;
    },
    [reducer, read, write, onState],
  );
  const { mutate } = useMutation({
    mutationFn: save,
    onSuccess: (result) => reduce({ kind: "save succeeded", result }),
    onError: (error) => reduce({ kind: "save failed", sentence: saveSentence(error) }),
  });
  const dispatch = useCallback(
    (action: Action) => {
      const before = read();
      const next = reduce(action);
      if (before.status.kind !== "saving" && next.status.kind === "saving") mutate(toSend(next));
    },
    [read, reduce, mutate, toSend],
  );
  useEffect(() => () => void reduce({ kind: "leave page" }), [reduce]);
  return { state, dispatch };
}
