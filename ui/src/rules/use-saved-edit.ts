import {
  type UseQueryOptions,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback, useEffect } from "react";

import { errorTexts, refetchRules } from "./queries";
import type { Editing, SaveEvent } from "./saved-edit";
import { errorMessage } from "../api/problem";
import type { Child } from "../children/children";
import { type SectionPage, paths } from "../paths";
import { usePageState } from "../ui/page-state";
import { useUnsavedWork } from "../ui/unsaved-work";

type AnyEditing = Editing<unknown, { kind: string }>;

/** A part of a child's rules that guardians edit. Each feature has one, which is constant. */
export interface EditedRecord<Answer, Saved, State extends AnyEditing, Action> {
  /** Such as "times": the name of the page state. */
  what: string;
  /** The pages that edit the record. */
  pages: readonly SectionPage[];
  query: (childId: number) => UseQueryOptions<Answer> & { queryKey: readonly unknown[] };
  /** The record, with these changes if it is shown with them. */
  read: (answer: Answer, unsaved: State["unsaved"]) => Saved;
  initial: State;
  /** `saved` is undefined before the record is loaded. */
  reduce: (state: State, action: Action | SaveEvent, saved: Saved | undefined) => State;
  /** Whether leaving the app would lose input. */
  holdsInput: (state: State) => boolean;
  /** Saves changes; false after a conflict that the guardian has to resolve. */
  save: (queries: QueryClient, childId: number, changes: State["unsaved"]) => Promise<boolean>;
  /** The message on other pages about unsaved changes; null if there is none. */
  unsavedSentence: (name: string, state: State) => string | null;
}

/**
 * A record on the server, and this guardian's edits. Edits outlive the page, so that a save that fails later loses nothing.
 * `page` is the page on which the hook is called. It saves whenever the reducer changes the status to "saving".
 */
export function useSavedEdit<Answer, Saved, State extends AnyEditing, Action>(
  { child_id: childId, name }: Child,
  page: SectionPage,
  record: EditedRecord<Answer, Saved, State, Action>,
) {
  const queries = useQueryClient();
  const { what, initial, holdsInput } = record;
  const { state: editing, read, write } = usePageState(`${what} of ${childId}`, initial, holdsInput);
  const { note } = useUnsavedWork();
  const { status, unsaved } = editing;
  const saving = status.kind === "saving";

  const select = useCallback((answer: Answer) => record.read(answer, unsaved), [record, unsaved]);
  const query = useQuery({ ...record.query(childId), enabled: !saving, select });

  const reduce = useCallback(
    (action: Action | SaveEvent): State => {
      const loaded = queries.getQueryData<Answer>(record.query(childId).queryKey);
      const next = record.reduce(read(), action, loaded && record.read(loaded, []));
      write(next);
      for (const each of record.pages)
        note(paths.section(childId, each), each === page ? record.unsavedSentence(name, next) : null);
      return next;
    },
    [queries, childId, name, page, record, read, write, note],
  );
  const { mutate } = useMutation({
    mutationFn: async (changes: State["unsaved"]) => {
      const saved = await record.save(queries, childId, changes);
      if (saved) refetchRules(queries, childId);
      return saved;
    },
    onSuccess: (saved) => reduce({ kind: saved ? "save succeeded" : "save conflicted" }),
    onError: (error) => reduce({ kind: "save failed", sentence: errorMessage(error, errorTexts.save) }),
  });
  const dispatch = useCallback(
    (action: Action) => {
      const before = read();
      const next = reduce(action);
      if (before.status.kind !== "saving" && next.status.kind === "saving") mutate(next.unsaved);
    },
    [read, reduce, mutate],
  );
  useEffect(() => () => void reduce({ kind: "leave page" }), [reduce]);

  return { query, editing, saving, dispatch };
}
