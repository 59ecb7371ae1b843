import { useId, useState } from "react";

import { CodeForm } from "./CodeForm";
import { useIdentity } from "./identity";
import { useGetStepUp, useSendStepUpLetter, useStepUp } from "../api/generated/client/identity/identity";
import type { components } from "../api/generated/schema";
import { sentenceOf } from "../api/problem";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";

type Way = components["schemas"]["StepUpWay"];

interface StepUpDialogProps {
  /** The letter's address is to be confirmed, too. */
  onlyByLetter?: boolean;
  onClose: () => void;
  /** The guardian has stepped up: what was refused can be tried again. */
  onDone: () => void;
}

/** Asks for a proof that it is the guardian who holds this browser, after a call was refused with 403. */
export function StepUpDialog({ onlyByLetter = false, onClose, onDone }: StepUpDialogProps) {
  const state = useGetStepUp({ query: { staleTime: 0 } });
  const [sent, setSent] = useState(false);
  const letter = useSendStepUpLetter({ mutation: { onSuccess: () => setSent(true) } });
  const stepUp = useStepUp({ mutation: { onSuccess: onDone } });
  const [chosen, setChosen] = useState<Way | null>(null);
  const formId = useId();
  const { identity } = useIdentity();
  const email = identity.kind === "signed-in" ? identity.guardian.email : "";
  const offered = state.data?.data.ways ?? [];
  const ways = onlyByLetter ? offered.filter((each) => each === "letter") : offered;
  const way = chosen ?? ways[0];
  const other = ways.find((each) => each !== way);
  const typing = way === "recovery_code" || (way === "letter" && sent);
  return (
    <Dialog
      title={onlyByLetter ? "Confirm your address" : "Confirm that it is you"}
      onClose={onClose}
      actions={
        <>
          <Button look="plain" onClick={onClose}>
            Cancel
          </Button>
          {typing && (
            <Button type="submit" form={formId} busy={stepUp.isPending} busyLabel="Checking...">
              Confirm
            </Button>
          )}
          {way === "letter" && !typing && (
            <Button busy={letter.isPending} busyLabel="Sending..." onClick={() => letter.mutate()}>
              Send the code
            </Button>
          )}
        </>
      }
    >
      {state.isPending && <p role="status">Loading...</p>}
      {state.isError && (
        <Alert kind="error">{sentenceOf(state.error, "The ways to confirm it could not be loaded.")}</Alert>
      )}
      {state.isSuccess && way === undefined && (
        <p>
          This Porchlight sends no letters, and you have no recovery code left. Ask whoever runs it for a
          sign-in link (<code>porchlight sign-in-link</code>), and open it in this browser.
        </p>
      )}
      {way !== undefined && <p role="status">{explanation(onlyByLetter ? "address" : way, email, sent)}</p>}
      {typing && (
        <CodeForm
          key={way}
          id={formId}
          label={way === "letter" ? "Code from the letter" : "Recovery code"}
          digits={way === "letter"}
          onCode={(code) => {
            if (code !== "") stepUp.mutate({ data: { way, code } });
          }}
        />
      )}
      {letter.isError && way === "letter" && (
        <Alert kind="error">{sentenceOf(letter.error, "The letter could not be sent.")}</Alert>
      )}
      {stepUp.isError && stepUp.variables.data.way === way && (
        <Alert kind="error">{sentenceOf(stepUp.error, "The code could not be checked.")}</Alert>
      )}
      <div className="flex flex-wrap gap-x-2">
        {way === "letter" && typing && (
          <Button look="quiet" busy={letter.isPending} busyLabel="Sending..." onClick={() => letter.mutate()}>
            Send another letter
          </Button>
        )}
        {other !== undefined && (
          <Button look="quiet" onClick={() => setChosen(other)}>
            {other === "letter" ? "Use a letter instead" : "Use a recovery code instead"}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function explanation(way: Way | "address", email: string, sent: boolean): string {
  if (way === "address" && !sent) return `We send a code to ${email}; it is typed here.`;
  if (way === "recovery_code") {
    return "Whoever finds this device open must not be able to do this. Type one of your recovery codes; it is used up, and holds for ten minutes.";
  }
  return sent
    ? `A letter with a code of six digits is on its way to ${email}.`
    : `Whoever finds this device open must not be able to do this. We send a code to ${email}; it is typed here, and holds for ten minutes.`;
}
