import { useMemo, useState } from "react";

import { type FoldRow, type Row, hasMessage, isOpen, withOpenFolds } from "./rows";

/** Which folds of a conversation are open: those that the reader opened, and the one with `openMessage`. */
export function useOpenFolds(rows: readonly Row[], openMessage: string | null) {
  /** The ids of messages whose folds are open. */
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [openedFor, setOpenedFor] = useState<string | null>(null);
  if (
    openMessage !== null &&
    openMessage !== openedFor &&
    rows.some((row) => row.kind === "fold" && hasMessage(row, openMessage))
  ) {
    setOpenedFor(openMessage);
    setOpened((ids) => new Set([...ids, openMessage]));
  }

  const toggle = (row: FoldRow) =>
    setOpened((ids) => {
      const folded = row.messages.map(({ id }) => id);
      return isOpen(row, ids)
        ? new Set([...ids].filter((id) => !folded.includes(id)))
        : new Set([...ids, ...folded.slice(0, 1)]);
    });

  const shown = useMemo(() => withOpenFolds(rows, opened), [rows, opened]);
  return { shown, opened, toggle };
}
