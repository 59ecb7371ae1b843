import { useState } from "react";

import { keepDeepLink } from "./deep-link";
import { useIdentity } from "./identity";
import { PROVIDER_STEP_UP } from "./provider-sign-in";
import { StepUpDialog } from "./StepUpDialog";
import { useGetStepUp, useListSignInMethods } from "../api/generated/client/identity/identity";
import { Button } from "../ui/Button";

/** Offers to link the guardian's provider account, if none is linked and their address is verified. */
export function LinkAccount() {
  const { identity } = useIdentity();
  const provider = useListSignInMethods().data?.data.oidc;
  const canLink = useGetStepUp({ query: { enabled: provider !== undefined } }).data?.data.can_link;
  if (identity.kind !== "signed-in" || identity.guardian.email_unverified === true) return null;
  if (provider === undefined || canLink !== true) return null;
  return (
    <div className="flex flex-col items-start gap-3">
      <p>Once it is linked, you can sign in with {provider.name}, too. It must have this address.</p>
      <GoToProvider name={provider.name} label={`Link ${provider.name}`} />
    </div>
  );
}

/** After step-up, links to the provider, where the account with the guardian's address is linked. */
export function GoToProvider({ name, label }: { name: string; label: string }) {
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
        {label}
      </Button>
      {pressed && state.isSuccess && (
        <StepUpDialog onClose={() => setPressed(false)} onDone={() => setDone(true)} />
      )}
    </>
  );
}
