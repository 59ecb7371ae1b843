import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";

import { Button } from "./Button";

interface UndoLineProps {
  disabled?: boolean;
  onUndo: () => void;
  /** What the button says if it can't undo all of it. */
  label?: string;
  /** What was done. */
  children: ReactNode;
}

export function UndoLine({ disabled = false, onUndo, label = t`Undo`, children }: UndoLineProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-2 rounded-control bg-lamp-glow ps-4">
      <p className="min-w-40 flex-1 py-1 [overflow-wrap:anywhere]">{children}</p>
      <Button look="quiet" disabled={disabled} onClick={onUndo}>
        {label}
      </Button>
    </div>
  );
}
