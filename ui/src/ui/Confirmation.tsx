import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";

import { Alert } from "./Alert";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import type { Words } from "./language";

interface ConfirmationProps {
  title: string;
  /** The label of the confirm button. */
  action: string;
  /** The label of the confirm button while busy. */
  busyLabel?: Words;
  busy: boolean;
  /** The error message of the last attempt. */
  failure?: string | null;
  onConfirm: () => void;
  onClose: () => void;
  /** An optional form control. */
  choice?: ReactNode;
  /** Describes the consequences. */
  children: ReactNode;
}

/** Asks for confirmation, and shows the error if the action fails. It can't be cancelled while busy. */
export function Confirmation({
  title,
  action,
  busyLabel,
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
            {t`Cancel`}
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
