import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "react-router";

import { argumentOf, errorMessage, hasCode, isUnreachable, logFailure } from "../api/problem";
import { useIdentity } from "../identity/identity";
import { Button } from "../ui/Button";
import { ErrorState } from "../ui/ErrorState";
import { TextLink } from "../ui/TextLink";
import { isOfWorker } from "../ui/worker";

const atHome = () => t`Porchlight is at home. Join your Wi-Fi.`;

/** Without an answer after this time, the server is probably on another network. Without any, a request fails much later. */
const SLOW_MS = 5000;

/** Renders its children once the identity is known. */
export function IdentityGate({ children }: { children: ReactNode }) {
  const { identity, resolve, signOut } = useIdentity();
  const { pathname } = useLocation();
  switch (identity.kind) {
    case "loading":
      return <LoadingIdentity />;
    case "unreachable":
      if (hasCode(identity.error, "open_the_name")) {
        const url = argumentOf(identity.error, "url");
        return (
          <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-6 px-5">
            <h1 className="text-xl font-bold">
              <Trans>Porchlight is at another address</Trans>
            </h1>
            <p>{errorMessage(identity.error)}</p>
            <TextLink href={url + pathname}>{url}</TextLink>
            <Button look="quiet" onClick={() => void signOut({ everywhere: false }).catch(logFailure)}>
              <Trans>I&apos;m somebody else</Trans>
            </Button>
          </main>
        );
      }
      const isAway = isOfWorker() && isUnreachable(identity.error);
      return (
        <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-6 px-5">
          <h1 className="text-xl font-bold">
            {isAway ? atHome() : <Trans>Porchlight can't be reached.</Trans>}
          </h1>
          <ErrorState
            sentence={
              isAway
                ? t`It opens by itself as soon as it can be reached. Are you on your Wi-Fi? The person who set it up can find out why.`
                : errorMessage(identity.error)
            }
            onRetry={resolve}
          />
        </main>
      );
    case "signed-in":
    case "signed-out":
      return children;
  }
}

function LoadingIdentity() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return <LoadingScreen sentence={isSlow && isOfWorker() ? atHome() : t`Loading application...`} />;
}

/** The loading screen of the whole app. `index.html` shows the same until the code has loaded. */
export function LoadingScreen({ sentence }: { sentence: string }) {
  return (
    <main className="flex min-h-dvh items-center justify-center px-5">
      <div role="status" className="text-muted">
        <h1>{sentence}</h1>
      </div>
    </main>
  );
}
