import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";

import { type Row, hasMessage } from "./rows";

/**
 * Scrolls to a search match once it is loaded. Returns whether earlier messages were just prepended, so that the scroll
 * position can be kept.
 */
export function useOpenMessage(
  virtualizer: RefObject<VirtualizerHandle | null>,
  rows: readonly Row[],
  message: string | null,
): boolean {
  const index = message === null ? -1 : rows.findIndex(({ id }) => id === message);
  const scrolledTo = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (index === -1 || scrolledTo.current === message) return;
    scrolledTo.current = message;
    virtualizer.current?.scrollToIndex(index, { align: "center" });
  }, [virtualizer, index, message]);

  const id = firstMessage(rows);
  const { length } = rows;
  const [first, setFirst] = useState({ id, length, isPrepended: false });
  if (first.id !== id || first.length !== length) {
    const { id: before } = first;
    const isPrepended = before !== id && before !== undefined && rows.some((row) => hasMessage(row, before));
    setFirst({ id, length, isPrepended });
    return isPrepended;
  }
  return first.isPrepended;
}

/** The id of the first message, which may be folded. */
function firstMessage([row]: readonly Row[]): string | undefined {
  return row?.kind === "fold" ? row.messages[0]?.id : row?.id;
}
