import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";

import { Alert } from "../ui/Alert";
import { BUSY, Button } from "../ui/Button";
import { revealed } from "../ui/focus";
import { Form } from "../ui/Form";
import { TextField } from "../ui/TextField";

interface NameFormProps {
  label: string;
  defaultValue?: string;
  /** The label of the submit button. */
  action: string;
  busy: boolean;
  refusal: string | null;
  /** Also receives everything that was typed. */
  onName: (name: string, typed: FormData) => void;
  onCancel: () => void;
  /** Further fields. */
  children?: ReactNode;
}

/** Asks for a name. It takes the focus, because it replaces the button that had it. */
export function NameForm({
  label,
  defaultValue,
  action,
  busy,
  refusal,
  onName,
  onCancel,
  children,
}: NameFormProps) {
  const submit = (typed: FormData) => {
    const name = typed.get("name");
    if (!busy && typeof name === "string") onName(name.trim(), typed);
  };
  return (
    <Form ref={revealed} onSubmit={submit} className="appear flex max-w-md flex-col gap-3">
      <TextField
        label={label}
        name="name"
        defaultValue={defaultValue}
        maxLength={200}
        required
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that had the focus is gone
        autoFocus
      />
      {children}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy} busyLabel={BUSY}>
          {action}
        </Button>
        <Button look="plain" onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
      {refusal !== null && <Alert kind="error">{refusal}</Alert>}
    </Form>
  );
}
