import type { ReactNode } from "react";

import { Alert } from "./Alert";
import { Button } from "./Button";
import { Dialog } from "./Dialog";

interface ConfirmationProps {
  title: string;
  /** The label of the button that does it. */
  action: string;
  /** The label while it is being done. */
  busyLabel?: string;
  /** The label of the button that leaves everything as it is. */
  cancel?: string;
  busy: boolean;
  /** Why it could not be done. */
  failure?: string | null;
  onConfirm: () => void;
  onClose: () => void;
  /** What can be decided beside it. */
  choice?: ReactNode;
  /** What it means. */
  children: ReactNode;
}

/** Asks whether something shall be done, and says why it could not be. While it is being done it can no longer be cancelled. */
export function Confirmation({
  title,
  action,
  busyLabel,
  cancel = "Cancel",
  busy,
  failure = null,
  onConfirm,
  onClose,
  choice,
  children,
}: ConfirmationProps) {
  return (
    <Dialog
      title={title}
      busy={busy}
      onClose={onClose}
      actions={
        <>
          <Button look="plain" disabled={busy} onClick={onClose}>
            {cancel}
          </Button>
          <Button busy={busy} {...(busyLabel !== undefined && { busyLabel })} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <p>{children}</p>
      {choice}
      {failure !== null && <Alert kind="error">{failure}</Alert>}
    </Dialog>
  );
}
