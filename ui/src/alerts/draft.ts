import { useCallback } from "react";

import type { Phrase } from "./phrases";
import { usePageState } from "../ui/page-state";

export interface PhraseDraft extends Phrase {
  /** Whether it is tried as it stands. */
  isTried: boolean;
}

const empty: PhraseDraft = { words: "", side: "either", isTried: false };

function isTyped({ words }: PhraseDraft): boolean {
  return words.trim() !== "";
}

/** The phrase in the form. It is kept in memory, so that another page can suggest one without its words in an address. */
export function usePhraseDraft(childId: number) {
  const { state: draft, read, write } = usePageState(`phrase for ${childId}`, empty, isTyped);
  const edit = useCallback((phrase: Phrase) => write({ ...phrase, isTried: false }), [write]);
  const tryIt = useCallback(({ words, side }: Phrase) => write({ words, side, isTried: true }), [write]);
  /** Removes a phrase that was saved, unless another one was typed meanwhile. */
  const clear = useCallback(
    (saved: Phrase) => {
      const { words, side } = read();
      if (words === saved.words && side === saved.side) write(empty);
    },
    [read, write],
  );
  return { draft, edit, tryIt, clear };
}
