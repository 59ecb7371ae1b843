import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Navigate, useNavigate } from "react-router";

import { isAddress, isThisComputer } from "./hosts";
import { ConfirmAddress } from "./ConfirmAddress";
import { HouseholdForm } from "./HouseholdForm";
import { useIdentity } from "./identity";
import { useLinkToken } from "./link-token";
import { NewCodes, tenCodes } from "./NewCodes";
import { setupToken } from "./sign-in-link";
import { SignInFrame } from "./SignInFrame";
import { Failure } from "../api/Failure";
import { useListChildren } from "../api/generated/client/children/children";
import { useGetSignInMethods, useMakeRecoveryCodes } from "../api/generated/client/identity/identity";
import { useFinishSetup } from "../api/generated/client/setup/setup";
import { isTransient } from "../api/problem";
import { plainText } from "../format/plain-text";
import { paths } from "../paths";
import { Button } from "../ui/Button";
import { focusHeading } from "../ui/focus";
import { TextLink } from "../ui/TextLink";
import { OfferPage } from "./OfferPage";
import { OpenSetupLink } from "./OpenSetupLink";

/** The first run. The link opens it again and again until the recovery codes are kept. */
export function WelcomePage() {
  const { identity, goOnWithSetup } = useIdentity();
  const navigate = useNavigate();
  const open = useMutation({ mutationFn: goOnWithSetup });
  const { mutate } = open;
  const { token, forget } = useLinkToken({
    read: setupToken,
    address: paths.welcome(),
    survivesReload: true,
    onToken: mutate,
  });
  /** Somebody filled in the form, here. */
  const [begun, setBegun] = useState(false);
  const [kept, setKept] = useState(false);
  const signedIn = identity.kind === "signed-in";
  const finish = () => {
    forget();
    setKept(true);
  };

  if (kept) return <WhatNext />;
  if (begun || open.data === "signed in") {
    return <KeepCodes onKept={finish} />;
  }
  if (token === null) return signedIn ? <ResumeSetup onKept={finish} /> : <WithoutLink />;
  return (
    <SignInFrame heading={t`Set up Porchlight`}>
      {open.isPending && (
        <p role="status">
          <Trans>Loading...</Trans>
        </p>
      )}
      {open.isError && (
        <>
          <Failure error={open.error} />
          <div className="flex flex-wrap gap-3">
            {isTransient(open.error) && (
              <Button look="plain" onClick={() => mutate(token)}>
                <Trans>Try again</Trans>
              </Button>
            )}
            <Button onClick={() => void navigate(paths.login())}>
              <Trans>Go to Login</Trans>
            </Button>
          </div>
        </>
      )}
      {open.data === "not begun" && <HouseholdForm token={token} onDone={() => setBegun(true)} />}
    </SignInFrame>
  );
}

/** The page was opened again without its link, in a browser that is signed in. */
function ResumeSetup({ onKept }: { onKept: () => void }) {
  const methods = useGetSignInMethods();
  if (methods.data?.data.set_up === false) return <KeepCodes onKept={onKept} />;
  if (methods.isSuccess) return <Navigate to={paths.index()} replace />;
  return (
    <SignInFrame heading={t`Set up Porchlight`}>
      {methods.isError ? (
        <Failure error={methods.error} />
      ) : (
        <p role="status">
          <Trans>Loading...</Trans>
        </p>
      )}
    </SignInFrame>
  );
}

function WithoutLink() {
  return (
    <SignInFrame heading={t`Set up Porchlight`}>
      <p>
        <Trans>
          This page sets a server up. <OpenSetupLink />
        </Trans>
      </p>
      <TextLink to={paths.login()}>
        <Trans>Go to Login</Trans>
      </TextLink>
    </SignInFrame>
  );
}

/** The ten codes. Only once they are kept does the link of the first run end. */
function KeepCodes({ onKept }: { onKept: () => void }) {
  // The codes are shown once and not kept.
  const make = useMakeRecoveryCodes({ mutation: { gcTime: 0 } });
  const finish = useFinishSetup({ mutation: { onSuccess: onKept } });
  useEffect(focusHeading, []);
  return (
    <SignInFrame heading={t`Keep your recovery codes`}>
      <p>{tenCodes()}</p>
      {make.data === undefined ? (
        <Button busy={make.isPending} onClick={() => make.mutate()}>
          <Trans>Make my codes</Trans>
        </Button>
      ) : (
        <NewCodes codes={make.data.data.codes} busy={finish.isPending} onKept={() => finish.mutate()} />
      )}
      <Failure error={make.error} />
      <Failure error={finish.error} />
    </SignInFrame>
  );
}

/** What a household needs next. The first child is the one that an assistant is connected for. */
function WhatNext() {
  const navigate = useNavigate();
  const children = useListChildren();
  const named = children.data?.data ?? [];
  const host = location.hostname;
  useEffect(focusHeading, []);
  return (
    <SignInFrame heading={t`Porchlight is set up`}>
      <ConfirmAddress />
      <Button
        onClick={() =>
          void navigate(named[0] === undefined ? paths.index() : paths.connect(named[0].child_id))
        }
      >
        <Trans>Connect an assistant</Trans>
      </Button>
      {named.map(({ child_id: childId, name }) => (
        <OfferPage key={childId} childId={childId} name={plainText(name)} />
      ))}
      {!isThisComputer(host) && (
        <p>
          <Trans>
            <strong>Give the computer that runs Porchlight a fixed address in your router,</strong> so that
            your phone finds it tomorrow, too.
          </Trans>
          {isAddress(host) && " "}
          {isAddress(host) && <Trans>It has {host} now.</Trans>}
        </p>
      )}
      <TextLink to={paths.index()}>
        <Trans>Open Porchlight</Trans>
      </TextLink>
    </SignInFrame>
  );
}
