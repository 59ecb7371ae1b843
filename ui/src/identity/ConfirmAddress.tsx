import { useState } from "react";

import { keepDeepLink } from "./deep-link";
import { useIdentity } from "./identity";
import { PROVIDER_STEP_UP } from "./provider-sign-in";
import { StepUpDialog } from "./StepUpDialog";
import { useGetStepUp, useListSignInMethods } from "../api/generated/client/identity/identity";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";

/** Offers to confirm an address that was only typed: by a letter, or by the guardian's account at the provider. */
export function ConfirmAddress() {
  const { identity, renew } = useIdentity();
  const methods = useListSignInMethods().data?.data;
  const [asking, setAsking] = useState(false);
  const [confirmed, setConfirmed] = useState(false);
  if (identity.kind !== "signed-in" || methods === undefined) return null;
  const { email, unproved } = identity.guardian;
  if (confirmed) return <Alert kind="success">Sign-in letters go to {email} from now on.</Alert>;
  const { email_link: sendsLetters, oidc: provider } = methods;
  if (unproved !== true || (!sendsLetters && provider === undefined)) return null;
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="[overflow-wrap:anywhere]">
        {email} is not confirmed yet.
        {sendsLetters && " Sign-in letters go there once you have typed the code of one."}
      </p>
      {sendsLetters && (
        <Button look="plain" onClick={() => setAsking(true)}>
          Confirm the address
        </Button>
      )}
      {provider !== undefined && <ConfirmAtProvider name={provider.name} />}
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

/** An account there with this address confirms it, for a guardian who has stepped up. */
function ConfirmAtProvider({ name }: { name: string }) {
  const [pressed, setPressed] = useState(false);
  const state = useGetStepUp({ query: { enabled: pressed, staleTime: 0 } });
  const [done, setDone] = useState(false);
  const steppedUp = done || state.data?.data.until !== undefined;
  if (pressed && steppedUp) {
    return (
      <a
        href={PROVIDER_STEP_UP}
        onClick={() => keepDeepLink(location.pathname + location.search)}
        className="appear inline-flex min-h-11 items-center justify-center rounded-control border border-transparent bg-primary px-4 font-bold text-on-primary hover:bg-primary-strong"
      >
        Go to {name}
      </a>
    );
  }
  return (
    <>
      <Button look="plain" busy={pressed && state.isPending} onClick={() => setPressed(true)}>
        Confirm it with {name}
      </Button>
      {pressed && state.isSuccess && (
        <StepUpDialog onClose={() => setPressed(false)} onDone={() => setDone(true)} />
      )}
    </>
  );
}
