import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";

import { useIdentity } from "./identity";
import { GoToProvider } from "./LinkAccount";
import { Failure } from "../api/Failure";
import { useGetSignInMethods } from "../api/generated/client/identity/identity";
import { stepUp } from "../api/step-up";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";

/** Offers to confirm an address that was only typed: by an e-mail, or by the guardian's account at the provider. */
export function ConfirmAddress() {
  const { identity, renew } = useIdentity();
  const methods = useGetSignInMethods().data?.data;
  const confirm = useMutation({
    mutationFn: async () => stepUp({ onlyByEmail: true }),
    // The next token says that it is confirmed.
    onSuccess: () => renew(),
  });
  if (identity.kind !== "signed-in" || methods === undefined) return null;
  const { email, email_unverified: emailUnverified } = identity.guardian;
  if (confirm.isSuccess)
    return (
      <Alert kind="success">
        <Trans>The address is confirmed</Trans>
      </Alert>
    );
  const { email_link: sendsEmail, oidc: provider } = methods;
  if (emailUnverified !== true || (!sendsEmail && provider === undefined)) return null;
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="[overflow-wrap:anywhere]">
        {sendsEmail ? (
          <Trans>{email} is not confirmed yet. Confirm this address to get sign-in emails.</Trans>
        ) : (
          <Trans>{email} is not confirmed yet.</Trans>
        )}
      </p>
      {sendsEmail && (
        <Button look="plain" busy={confirm.isPending} onClick={() => confirm.mutate()}>
          <Trans>Confirm this address</Trans>
        </Button>
      )}
      <Failure error={confirm.error} />
      {provider !== undefined && (
        <GoToProvider name={provider.name} label={t`Sign in with ${{ name: provider.name }}`} />
      )}
    </div>
  );
}
