import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";

import { Button } from "./Button";

interface UndoLineProps {
  disabled?: boolean;
  onUndo: () => void;
  /** What was done. */
  children: ReactNode;
}

export function UndoLine({ disabled = false, onUndo, children }: UndoLineProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-2 rounded-control bg-lamp-glow ps-4">
      <p className="min-w-40 flex-1 py-1 [overflow-wrap:anywhere]">{children}</p>
      <Button look="quiet" disabled={disabled} onClick={onUndo}>
        <Trans>Undo</Trans>
      </Button>
    </div>
  );
}
