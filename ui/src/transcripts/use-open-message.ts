import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";

import type { Row } from "./rows";

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

  const firstId = rows[0]?.id;
  const [first, setFirst] = useState({ id: firstId, isPrepended: false });
  if (first.id !== firstId) {
    const isPrepended = first.id !== undefined && rows.some(({ id }) => id === first.id);
    setFirst({ id: firstId, isPrepended });
  }
  return first.id === firstId ? first.isPrepended : false;
}
