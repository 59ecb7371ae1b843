import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";

import { keepDeepLink } from "./deep-link";
import { useIdentity } from "./identity";
import { PROVIDER_STEP_UP } from "./provider-sign-in";
import { Failure } from "../api/Failure";
import { getStepUp, useGetStepUp, useGetSignInMethods } from "../api/generated/client/identity/identity";
import { stepUp } from "../api/step-up";
import { Button } from "../ui/Button";
import { ButtonLink } from "../ui/ButtonLink";

/** Offers to link the guardian's provider account, if none is linked and their address is verified. */
export function LinkAccount() {
  const { identity } = useIdentity();
  const provider = useGetSignInMethods().data?.data.oidc;
  const canLink = useGetStepUp({ query: { enabled: provider !== undefined } }).data?.data.can_link;
  if (identity.kind !== "signed-in" || identity.guardian.email_unverified === true) return null;
  if (provider === undefined || canLink !== true) return null;
  return (
    <div className="flex flex-col items-start gap-3">
      <p>
        <Trans>
          Once it is linked, you can sign in with {{ name: provider.name }}, too. It must have this address.
        </Trans>
      </p>
      <GoToProvider name={provider.name} label={t`Link ${{ name: provider.name }}`} />
    </div>
  );
}

/** After step-up, links to the provider, where the account with the guardian's address is linked. */
export function GoToProvider({ name, label }: { name: string; label: string }) {
  const confirm = useMutation({
    mutationFn: async () => {
      const { data } = await getStepUp();
      if (data.until === undefined) await stepUp();
    },
  });
  if (confirm.isSuccess) {
    return (
      <ButtonLink
        href={PROVIDER_STEP_UP}
        onClick={() => keepDeepLink(location.pathname + location.search)}
        className="appear"
      >
        <Trans>Go to {name}</Trans>
      </ButtonLink>
    );
  }
  return (
    <>
      <Button look="plain" busy={confirm.isPending} onClick={() => confirm.mutate()}>
        {label}
      </Button>
      <Failure error={confirm.error} />
    </>
  );
}
