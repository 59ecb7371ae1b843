import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Navigate, useNavigate } from "react-router";

import { POLL_MS, deviceName, fromWhere } from "./devices";
import { useIdentity } from "./identity";
import { useLinkToken } from "./link-token";
import { ShownDigits } from "./ShownDigits";
import { pairingToken } from "./sign-in-link";
import { SignInFrame } from "./SignInFrame";
import { Failure } from "../api/Failure";
import { useClaimPairing } from "../api/generated/client/identity/identity";
import type { components } from "../api/generated/schema";
import { isTransient } from "../api/problem";
import { paths } from "../paths";
import { BUSY, Button } from "../ui/Button";
import { focusHeading } from "../ui/focus";
import { TextLink } from "../ui/TextLink";
import { otherDeviceSentence } from "./other-device";

/** The page that a signed-in device's QR code opens. It signs this device in. */
export function PairPage() {
  const { token } = useLinkToken({ read: pairingToken, address: paths.pair(), survivesReload: false });
  return token === null ? <PairingHelp /> : <Pairing key={token} token={token} />;
}

function Pairing({ token }: { token: string }) {
  const [beginsAgain, setBeginsAgain] = useState(false);
  useEffect(() => {
    if (beginsAgain) focusHeading();
  }, [beginsAgain]);
  const claim = useClaimPairing({
    mutation: {
      // Don't cache the claim, which is a secret.
      gcTime: 0,
    },
  });
  const beginAgain = () => setBeginsAgain(true);
  if (beginsAgain) return <PairingHelp />;
  if (claim.isSuccess) return <Claimed claimed={claim.data.data} onBeginAgain={beginAgain} />;
  const take = () => claim.mutate({ data: { token } });
  return (
    <SignInFrame heading={t`Sign this device in`}>
      {!claim.isError && <Offer busy={claim.isPending} onTake={take} />}
      {claim.isError && (
        <>
          <Failure error={claim.error} />
          {isTransient(claim.error) ? (
            <Button look="plain" className="self-start" onClick={take}>
              <Trans>Try again</Trans>
            </Button>
          ) : (
            <Button onClick={beginAgain}>
              <Trans>Begin again</Trans>
            </Button>
          )}
        </>
      )}
    </SignInFrame>
  );
}

/**
 * Claims the code only when a button is pressed: link scanners run the page's scripts, and a second claim invalidates the
 * code for both devices.
 */
function Offer({ busy, onTake }: { busy: boolean; onTake: () => void }) {
  const { identity, signOut } = useIdentity();
  const navigate = useNavigate();
  const leave = useMutation({ mutationFn: async () => signOut({ everywhere: false }), onSuccess: onTake });
  if (identity.kind === "signed-in" || leave.isPending) {
    const name = identity.kind === "signed-in" ? (identity.guardian.name ?? identity.guardian.email) : "";
    return (
      <>
        {identity.kind === "signed-in" && (
          <p className="[overflow-wrap:anywhere]">
            <Trans>
              You are signed in on this device as <bdi>{name}</bdi>. The code signs it in as whoever shows it,
              so it signs you out first.
            </Trans>
          </p>
        )}
        <Button busy={leave.isPending} busyLabel={BUSY} onClick={() => leave.mutate()}>
          <Trans>Sign out and go on</Trans>
        </Button>
        <Button look="plain" onClick={() => void navigate(paths.index())}>
          <Trans>Stay signed in</Trans>
        </Button>
        <Failure error={leave.error} />
      </>
    );
  }
  return (
    <>
      <Button busy={busy} busyLabel={BUSY} onClick={onTake}>
        <Trans>Sign this device in</Trans>
      </Button>
    </>
  );
}

interface ClaimedProps {
  claimed: components["schemas"]["ClaimedPairing"];
  onBeginAgain: () => void;
}

/** Shows the digits and polls until they are typed on the other device. */
function Claimed({ claimed, onBeginAgain }: ClaimedProps) {
  const { completePairing } = useIdentity();
  const { claim, whose, shown_by: shownBy, digits, until } = claimed;
  const completion = useQuery({
    queryKey: ["completePairing", until],
    queryFn: async () => completePairing(claim),
    refetchInterval: ({ state }) => (state.error === null || isTransient(state.error)) && POLL_MS,
    staleTime: 0,
    gcTime: 0,
  });
  const { error } = completion;
  const hasEnded = error !== null && !isTransient(error);
  useEffect(focusHeading, [hasEnded]);
  if (completion.data === "signed in") return <Navigate to={paths.index()} replace />;
  if (hasEnded) {
    return (
      <SignInFrame heading={t`This code has ended`}>
        <Failure error={error} />
        <Button onClick={onBeginAgain}>
          <Trans>Begin again</Trans>
        </Button>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame heading={t`Type these digits on the other device`} title={t`Sign this device in`}>
      <div className="flex flex-col gap-2 [overflow-wrap:anywhere]">
        <p>
          <Trans>
            You are about to be signed in as <bdi className="font-bold">{whose}</bdi>.
          </Trans>
        </p>
        <p className="text-muted">
          <Trans>
            {{ device: deviceName(shownBy) }} has shown the code, {{ where: fromWhere(shownBy) }}.
          </Trans>
        </p>
      </div>
      <ShownDigits digits={digits} />
      <p role="status">
        <Trans>They work for two minutes.</Trans>
      </p>
      <p className="text-sm text-muted">
        <Trans>If you do not know who or what that is, close this page: nothing has happened yet.</Trans>
      </p>
    </SignInFrame>
  );
}

function PairingHelp() {
  return (
    <SignInFrame heading={t`Sign this device in`}>
      <p>{otherDeviceSentence()}</p>
      <TextLink to={paths.login()}>
        <Trans>Sign in another way</Trans>
      </TextLink>
    </SignInFrame>
  );
}
