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
  const { state: draft, write } = usePageState(`phrase for ${childId}`, empty, isTyped);
  const edit = useCallback((phrase: Phrase) => write({ ...phrase, isTried: false }), [write]);
  const tryIt = useCallback(({ words, side }: Phrase) => write({ words, side, isTried: true }), [write]);
  const clear = useCallback(() => write(empty), [write]);
  return { draft, edit, tryIt, clear };
}
