import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";

import { type Identity, type IdentityAccess, IdentityContext } from "./identity";
import { signIn, signOut } from "../api/generated/client/identity/identity";
import {
  type Guardian,
  currentIdentity,
  dropToken,
  endIdentity,
  holdIdentity,
  watchIdentity,
} from "../api/identity-token";
import { NotSignedIn, logFailure } from "../api/problem";

/** Signing in and out is told to all tabs on this channel. */
const CHANNEL = "porchlight-identity";
type News = "signed-in" | "signed-out";

/** While the server can't say who is signed in, it is asked again after this long. */
const ASK_AGAIN_MS = 5000;

/** Knows who is signed in, in this tab and the others, and empties the cache when that changes. */
export function IdentityProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const [identity, setIdentity] = useState<Identity>({ kind: "loading" });
  const guardianId = useRef<string | null>(null);
  const channel = useRef<BroadcastChannel>(undefined);

  const resolve = useCallback(() => {
    currentIdentity().catch((error: unknown) => {
      // Signed out is no failure, and `watchIdentity` has said so already.
      if (error instanceof NotSignedIn) return;
      logFailure(error);
      setIdentity((before) =>
        before.kind === "loading" || before.kind === "unreachable" ? { kind: "unreachable", error } : before,
      );
    });
  }, []);

  useEffect(() => {
    const stopWatching = watchIdentity((guardian) => {
      // What was asked for before anybody was known to be signed in stays.
      if (guardianId.current !== null && guardianId.current !== guardian?.id) queryClient.clear();
      guardianId.current = guardian?.id ?? null;
      setIdentity((before) => after(before, guardian));
    });
    const tabs = new BroadcastChannel(CHANNEL);
    channel.current = tabs;
    tabs.addEventListener("message", ({ data }: MessageEvent<News>) => {
      if (data === "signed-out") {
        endIdentity();
        setIdentity({ kind: "signed-out", byChoice: true });
      } else {
        dropToken();
        resolve();
      }
    });
    resolve();
    return () => {
      stopWatching();
      tabs.close();
    };
  }, [queryClient, resolve]);

  const unreachable = identity.kind === "unreachable";
  useEffect(() => {
    if (!unreachable) return undefined;
    const asking = setInterval(resolve, ASK_AGAIN_MS);
    addEventListener("online", resolve);
    return () => {
      clearInterval(asking);
      removeEventListener("online", resolve);
    };
  }, [unreachable, resolve]);

  const access = useMemo<IdentityAccess>(
    () => ({
      identity,
      resolve,
      signIn: async (email, token) => {
        const answer = await signIn({ email, token });
        holdIdentity(answer.data);
        channel.current?.postMessage("signed-in" satisfies News);
      },
      signOut: async ({ everywhere }) => {
        await signOut({ everywhere });
        channel.current?.postMessage("signed-out" satisfies News);
        endIdentity();
        setIdentity({ kind: "signed-out", byChoice: true });
      },
    }),
    [identity, resolve],
  );

  return <IdentityContext value={access}>{children}</IdentityContext>;
}

/** A token minted anew for the same guardian changes nothing that is shown. */
function after(before: Identity, guardian: Guardian | null): Identity {
  if (guardian === null)
    return before.kind === "signed-out" ? before : { kind: "signed-out", byChoice: false };
  if (before.kind !== "signed-in") return { kind: "signed-in", guardian };
  const same =
    before.guardian.id === guardian.id &&
    before.guardian.email === guardian.email &&
    before.guardian.name === guardian.name;
  return same ? before : { kind: "signed-in", guardian };
}
