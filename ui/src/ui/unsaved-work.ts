import { useCallback } from "react";

import { usePageState } from "./page-state";

interface UnsavedNote {
  sentence: string;
  /** Whether saving failed; else the guardian has not saved it. */
  isFailure: boolean;
}

/** The note for each page with unsaved work, by the page's address. */
type UnsavedWork = Readonly<Record<string, UnsavedNote>>;

const none: UnsavedWork = {};

export function useUnsavedWork() {
  const { state: unsaved, read, write } = usePageState("unsaved work", none);
  /** Sets the note for a page; null if it has no unsaved work. */
  const note = useCallback(
    (path: string, sentence: string | null, isFailure = true) => {
      const { [path]: before, ...others } = read();
      if (sentence === (before?.sentence ?? null)) return;
      write(sentence === null ? others : { ...others, [path]: { sentence, isFailure } });
    },
    [read, write],
  );
  return { unsaved, note };
}
