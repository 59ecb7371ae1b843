import { useState } from "react";

import { ChildChoice } from "./ChildChoice";
import type { ConnectedAssistant } from "./queries";
import { useConnectAssistant } from "../api/generated/client/household/household";
import { needsStepUp, errorMessage } from "../api/problem";
import type { Child } from "../children/children";
import { StepUpFor } from "../identity/StepUpFor";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";
import { Form } from "../ui/Form";
import { TextField } from "../ui/TextField";

interface ConnectFormProps {
  child: Child;
  siblings: readonly Child[];
  onConnected: (connected: ConnectedAssistant) => void;
  onCancel: () => void;
}

/** Asks for an assistant's name and children, and creates its key. */
export function ConnectForm({ child, siblings, onConnected, onCancel }: ConnectFormProps) {
  const connect = useConnectAssistant({
    mutation: {
      onSuccess: ({ data }) => onConnected(data),
      // Don't cache the key.
      gcTime: 0,
    },
  });
  const [chosen, setChosen] = useState<readonly number[]>([child.child_id]);
  const submit = (typed: FormData) => {
    const name = typed.get("name");
    if (connect.isPending || typeof name !== "string") return;
    connect.mutate({ data: { name: name.trim(), children: [...chosen] } });
  };
  return (
    <>
      <Form onSubmit={submit} className="appear flex max-w-md flex-col gap-4">
        <TextField
          label="Name, for example Kitchen"
          name="name"
          maxLength={200}
          required
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that had the focus is gone
          autoFocus
        />
        <ChildChoice legend="Talks with" siblings={siblings} chosen={chosen} onChange={setChosen} />
        <div className="flex flex-wrap gap-3">
          <Button
            type="submit"
            disabled={chosen.length === 0}
            busy={connect.isPending}
            busyLabel="Connecting..."
          >
            Connect
          </Button>
          <Button look="plain" onClick={onCancel}>
            Cancel
          </Button>
        </div>
        {connect.isError && !needsStepUp(connect.error) && (
          <Alert kind="error">{errorMessage(connect.error, "The assistant could not be connected.")}</Alert>
        )}
      </Form>
      <StepUpFor mutation={connect} />
    </>
  );
}
