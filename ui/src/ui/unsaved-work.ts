import { useCallback } from "react";

import { usePageState } from "./page-state";

/** A sentence for each thing that could not be saved, by the address of the page where it can be tried again. */
type UnsavedWork = Readonly<Record<string, string>>;

const none: UnsavedWork = {};

/** What could not be saved, so that it can be said on every page. */
export function useUnsavedWork() {
  const { state: unsaved, read, write } = usePageState("unsaved work", none);
  /** Notes what could not be saved on a page; null when nothing is left unsaved there. */
  const note = useCallback(
    (path: string, sentence: string | null) => {
      const { [path]: before = null, ...others } = read();
      if (sentence !== before) write(sentence === null ? others : { ...others, [path]: sentence });
    },
    [read, write],
  );
  return { unsaved, note };
}
