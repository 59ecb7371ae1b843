import { useCallback } from "react";

import { usePageState } from "./page-state";

/** The message for each page with unsaved work, by the page's address. */
type UnsavedWork = Readonly<Record<string, string>>;

const none: UnsavedWork = {};

export function useUnsavedWork() {
  const { state: unsaved, read, write } = usePageState("unsaved work", none);
  /** Sets the message for a page; null if it has no unsaved work. */
  const note = useCallback(
    (path: string, sentence: string | null) => {
      const { [path]: before = null, ...others } = read();
      if (sentence !== before) write(sentence === null ? others : { ...others, [path]: sentence });
    },
    [read, write],
  );
  return { unsaved, note };
}
