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
    <SignInFrame heading="Sign this device in">
      {!claim.isError && <Offer busy={claim.isPending} onTake={take} />}
      {claim.isError && (
        <>
          <Failure error={claim.error} />
          {isTransient(claim.error) ? (
            <Button look="plain" className="self-start" onClick={take}>
              Try again
            </Button>
          ) : (
            <Button onClick={beginAgain}>Begin again</Button>
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
    return (
      <>
        {identity.kind === "signed-in" && (
          <p className="[overflow-wrap:anywhere]">
            You are signed in on this device as <bdi>{identity.guardian.name ?? identity.guardian.email}</bdi>
            . The code signs it in as whoever shows it, so it signs you out first.
          </p>
        )}
        <Button busy={leave.isPending} busyLabel={BUSY} onClick={() => leave.mutate()}>
          Sign out and go on
        </Button>
        <Button look="plain" onClick={() => void navigate(paths.index())}>
          Stay signed in
        </Button>
        <Failure error={leave.error} />
      </>
    );
  }
  return (
    <>
      <p>
        This device shows three digits next. Once they are typed on the other one, this one is signed in, too.
      </p>
      <Button busy={busy} busyLabel={BUSY} onClick={onTake}>
        Sign this device in
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
      <SignInFrame heading="This code has ended">
        <Failure error={error} />
        <Button onClick={onBeginAgain}>Begin again</Button>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame heading="Type these digits on the other device" title="Sign this device in">
      <div className="flex flex-col gap-2 [overflow-wrap:anywhere]">
        <p>
          You are about to be signed in as <bdi className="font-bold">{whose}</bdi>.
        </p>
        <p className="text-muted">
          {deviceName(shownBy)} has shown the code, {fromWhere(shownBy)}.
        </p>
      </div>
      <ShownDigits digits={digits} />
      <p role="status">Waiting for the digits. They work for two minutes.</p>
      <p className="text-sm text-muted">
        If you do not know who or what that is, close this page: nothing has happened yet.
      </p>
    </SignInFrame>
  );
}

function PairingHelp() {
  return (
    <SignInFrame heading="Sign this device in">
      <div className="flex flex-col gap-3">
        <p>On a device on which you are signed in:</p>
        <ol className="flex list-decimal flex-col gap-2 pl-6">
          <li>Open “You”, in the menu of your account.</li>
          <li>Press “Show a QR code”.</li>
          <li>Scan the code with this device.</li>
        </ol>
      </div>
      <TextLink to={paths.login()}>Sign in another way</TextLink>
    </SignInFrame>
  );
}
