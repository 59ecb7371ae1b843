import type { ReactNode } from "react";

import { argumentOf, errorMessage, hasCode, logFailure } from "../api/problem";
import { useIdentity } from "../identity/identity";
import { Button } from "../ui/Button";
import { ErrorState } from "../ui/ErrorState";
import { TextLink } from "../ui/TextLink";

/** Renders its children once the identity is known. */
export function IdentityGate({ children }: { children: ReactNode }) {
  const { identity, resolve, signOut } = useIdentity();
  switch (identity.kind) {
    case "loading":
      return <LoadingScreen sentence="Loading application..." />;
    case "unreachable":
      if (hasCode(identity.error, "open_the_name")) {
        const url = argumentOf(identity.error, "url");
        return (
          <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-6 px-5">
            <h1 className="text-xl font-bold">Porchlight is at another address</h1>
            <p>{errorMessage(identity.error)}</p>
            <TextLink href={url}>{url}</TextLink>
            <Button look="quiet" onClick={() => void signOut({ everywhere: false }).catch(logFailure)}>
              I&apos;m somebody else
            </Button>
          </main>
        );
      }
      return (
        <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-6 px-5">
          <h1 className="text-xl font-bold">Porchlight can't be reached</h1>
          <ErrorState
            sentence={errorMessage(identity.error, "The server could not say who is signed in.")}
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
