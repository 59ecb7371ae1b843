import { useState } from "react";

import { useIdentity } from "./identity";
import { StepUpDialog } from "./StepUpDialog";
import { useListSignInMethods } from "../api/generated/client/identity/identity";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";

/** Offers to confirm an address that was only typed, where letters are sent. */
export function ConfirmAddress() {
  const { identity, renew } = useIdentity();
  const sendsLetters = useListSignInMethods().data?.data.email_link === true;
  const [asking, setAsking] = useState(false);
  const [confirmed, setConfirmed] = useState(false);
  if (identity.kind !== "signed-in" || !sendsLetters) return null;
  const { email, unproved } = identity.guardian;
  if (confirmed) return <Alert kind="success">Sign-in letters go to {email} from now on.</Alert>;
  if (unproved !== true) return null;
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="[overflow-wrap:anywhere]">
        {email} is not confirmed yet. Sign-in letters go there once you have typed the code of one.
      </p>
      <Button look="plain" onClick={() => setAsking(true)}>
        Confirm the address
      </Button>
      {asking && (
        <StepUpDialog
          onlyByLetter
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false);
            setConfirmed(true);
            // The next token says that it is confirmed.
            renew();
          }}
        />
      )}
    </div>
  );
}
