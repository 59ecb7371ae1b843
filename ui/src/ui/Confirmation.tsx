import type { ReactNode } from "react";

import { Alert } from "./Alert";
import { Button } from "./Button";
import { Dialog } from "./Dialog";

interface ConfirmationProps {
  title: string;
  /** What the button says that does it. */
  action: string;
  busy: boolean;
  /** Why it could not be done. */
  failure?: string | null;
  onConfirm: () => void;
  onClose: () => void;
  /** What it means. */
  children: ReactNode;
}

/** Asks whether something shall be done, and says why it could not be. */
export function Confirmation({
  title,
  action,
  busy,
  failure,
  onConfirm,
  onClose,
  children,
}: ConfirmationProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button look="plain" onClick={onClose}>
            Cancel
          </Button>
          <Button busy={busy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <p>{children}</p>
      {failure !== undefined && failure !== null && <Alert kind="error">{failure}</Alert>}
    </Dialog>
  );
}
