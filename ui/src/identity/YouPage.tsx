import { type MessageDescriptor, i18n } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useState } from "react";
import { useLocation, useNavigate } from "react-router";

import { deviceName } from "./devices";
import { findDeepLink, forgetDeepLink } from "./deep-link";
import { useIdentity } from "./identity";
import { LanguageSetting } from "./LanguageSetting";
import { PairDevice } from "./PairDevice";
import { providerStepUp } from "./provider-sign-in";
import { RecoveryCodes } from "./RecoveryCodes";
import { YourAddress } from "./YourAddress";
import { Failure } from "../api/Failure";
import {
  getGetRecoveryCodesQueryKey,
  getListSignInsQueryKey,
  useEndSignIn,
  useGetRecoveryCodes,
  useListSignIns,
  useSeeSignIns,
} from "../api/generated/client/identity/identity";
import type { components } from "../api/generated/schema";
import { QueryView } from "../api/QueryView";
import { relativeTime } from "../format/dates";
import { paths } from "../paths";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";
import { focusHeading } from "../ui/focus";
import { PageHeading } from "../ui/PageHeading";
import { Section } from "../ui/Section";
import { Skeleton } from "../ui/Skeleton";
import { TextLink } from "../ui/TextLink";
import { Notice } from "../ui/Notice";
import { notAskedAgain } from "./step-up-sentences";
import { codesMadeElsewhere, ifNotYou, signedInElsewhere } from "./not-you";

type SignIn = components["schemas"]["SignIn"];

/** The guardian's address, devices and recovery codes, and other sections after the address. */
export function YouPage({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col gap-8">
      <div className="flex flex-col gap-3">
        <PageHeading>{t`You`}</PageHeading>
        <SteppedUp />
      </div>
      <YourAddress />
      <LanguageSetting />
      {children}
      <SignedInDevices />
      <PairDevice />
      <RecoveryCodes />
    </div>
  );
}

/** The guardian's sign-ins, each of which can be ended, for instance on a lost phone. */
function SignedInDevices() {
  const query = useListSignIns();
  return (
    <Section heading={t`Signed-in devices`}>
      <QueryView
        query={query}
        loading={{
          skeleton: <Skeleton shapes={["h-20", "h-20"]} className="flex-col gap-3" />,
        }}
      >
        {({ data: { items } }) => (
          <>
            <WasItYou newSignIns={items.filter(({ is_new: isNew }) => isNew === true).length} />
            <SignInList signIns={items} />
          </>
        )}
      </QueryView>
    </Section>
  );
}

/** The result of stepping up at the provider, and a link back to the page that required it. */
function SteppedUp() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [outcome] = useState(() => providerStepUp(hash));
  const [back] = useState(findDeepLink);
  useEffect(() => {
    if (providerStepUp(hash) === null) return;
    forgetDeepLink();
    void navigate(paths.you(), { replace: true });
  }, [hash, navigate]);
  if (outcome === null) return null;
  return (
    <div className="flex flex-col items-start gap-1">
      {outcome === true ? (
        <Alert kind="success">
          <Trans>You have confirmed that it is you.</Trans> {notAskedAgain()}
        </Alert>
      ) : (
        <Alert kind="error">{outcome}</Alert>
      )}
      {back !== null && (
        <TextLink to={back}>
          <Trans>Back</Trans>
        </TextLink>
      )}
    </div>
  );
}

/** Asks whether the new sign-ins and the new recovery codes are the guardian's own. */
function WasItYou({ newSignIns }: { newSignIns: number }) {
  const { renew } = useIdentity();
  const queryClient = useQueryClient();
  const codes = useGetRecoveryCodes().data?.data;
  const hasNewCodes = codes?.are_new === true;
  const see = useSeeSignIns({
    mutation: {
      onSuccess: async () => {
        // The claims about new sign-ins are out of date.
        renew();
        focusHeading();
        await Promise.all([
          queryClient.invalidateQueries({ queryKey: getListSignInsQueryKey() }),
          queryClient.invalidateQueries({ queryKey: getGetRecoveryCodesQueryKey() }),
        ]);
      },
    },
  });
  if (newSignIns === 0 && !hasNewCodes) return null;
  return (
    <Notice>
      {newSignIns > 0 && <p>{signedInElsewhere(newSignIns)}</p>}
      {hasNewCodes && <p>{codesMadeElsewhere()}</p>}
      <p>{ifNotYou()}</p>
      <Button look="plain" busy={see.isPending} onClick={() => see.mutate()}>
        <Trans>It was me</Trans>
      </Button>
      <Failure error={see.error} />
    </Notice>
  );
}

function SignInList({ signIns }: { signIns: readonly SignIn[] }) {
  const queryClient = useQueryClient();
  const { identity, renew } = useIdentity();
  const now = new Date();
  const id = useId();
  const [ended, setEnded] = useState(false);
  const end = useEndSignIn({
    mutation: {
      onMutate: () => setEnded(false),
      onSuccess: () => {
        setEnded(true);
        // The claims about new sign-ins are out of date.
        if (identity.kind === "signed-in" && identity.guardian.new_sign_ins !== undefined) {
          renew();
        }
        // The focused button is removed with its row.
        focusHeading();
      },
      onSettled: () => queryClient.invalidateQueries({ queryKey: getListSignInsQueryKey() }),
    },
  });
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {signIns.map((signIn) => (
          <li key={signIn.sign_in_id} className="flex flex-wrap items-center justify-between gap-3 py-3">
            <div id={`${id}-${signIn.sign_in_id}`}>
              <p className="font-bold">
                {signIn.current
                  ? t`This device`
                  : signIn.device === undefined
                    ? i18n._(ways[signIn.via])
                    : deviceName({ device: signIn.device })}
                {signIn.is_new && (
                  <span className="ms-2 rounded-control bg-lamp-glow px-2 py-0.5 text-sm">
                    <Trans>New</Trans>
                  </span>
                )}
              </p>
              <p className="text-sm text-muted">
                {(signIn.current || signIn.device !== undefined) && `${i18n._(ways[signIn.via])}. `}
                <Trans>
                  Since {{ started: relativeTime(signIn.started_at, now) }}. Last used{" "}
                  {{ used: relativeTime(signIn.used_at, now) }}.
                </Trans>
              </p>
            </div>
            {!signIn.current && (
              <Button
                look="plain"
                about={`${id}-${signIn.sign_in_id}`}
                disabled={end.isPending}
                busy={end.isPending && end.variables.signInId === signIn.sign_in_id}
                onClick={() => end.mutate({ signInId: signIn.sign_in_id })}
              >
                <Trans>Sign out</Trans>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {ended && (
        <Alert kind="success">
          <Trans>That device is signed out.</Trans>
        </Alert>
      )}
      <Failure error={end.error} />
    </>
  );
}

const ways: Readonly<Record<SignIn["via"], MessageDescriptor>> = {
  link: msg`By a sign-in link`,
  command_line: msg`With a token from the command line`,
  oidc: msg`Through the sign-in provider`,
  recovery_code: msg`With a recovery code`,
  setup: msg`By setting Porchlight up`,
  invitation: msg`By an invitation`,
  pairing: msg`From another of your devices`,
};
