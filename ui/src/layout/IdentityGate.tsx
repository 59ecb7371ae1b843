import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { useLocation } from "react-router";

import { argumentOf, errorMessage, hasCode, logFailure } from "../api/problem";
import { useIdentity } from "../identity/identity";
import { Button } from "../ui/Button";
import { ErrorState } from "../ui/ErrorState";
import { TextLink } from "../ui/TextLink";

/** Renders its children once the identity is known. */
export function IdentityGate({ children }: { children: ReactNode }) {
  const { identity, resolve, signOut } = useIdentity();
  const { pathname } = useLocation();
  switch (identity.kind) {
    case "loading":
      return <LoadingScreen sentence={t`Loading application...`} />;
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
      return (
        <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-6 px-5">
          <h1 className="text-xl font-bold">
            <Trans>Porchlight can't be reached</Trans>
          </h1>
          <ErrorState
            sentence={errorMessage(identity.error, t`The server could not say who is signed in.`)}
            onRetry={resolve}
          />
        </main>
      );
    case "signed-in":
    case "signed-out":
      return children;
  }
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
