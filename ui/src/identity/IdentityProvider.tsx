import { replaceEqualDeep, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, startTransition, useCallback, useEffect, useMemo, useRef, useState } from "react";

import { type Identity, type IdentityAccess, IdentityContext } from "./identity";
import { leaveDevice } from "./leave-device";
import { adoptLanguage, forgetAdoptedLanguage } from "../api/catalogues";
import { acceptInvitation } from "../api/generated/client/household/household";
import {
  completePairing,
  signIn,
  signInWithRecoveryCode,
  signOut,
} from "../api/generated/client/identity/identity";
import { beginSetup, signInWithSetupLink } from "../api/generated/client/setup/setup";
import { getGetSubscriptionQueryOptions } from "../api/generated/client/subscription/subscription";
import type { components } from "../api/generated/schema";
import {
  currentIdentity,
  dropToken,
  endIdentity,
  holdRequestsUntil,
  storeIdentity,
  subscribeToIdentity,
} from "../api/identity-token";
import { NotSignedIn, logFailure } from "../api/problem";
import { RETRY_MS } from "../api/query-client";

/** The channel on which a tab announces a sign-in or sign-out to the others. */
const CHANNEL = "porchlight-identity";
type IssuedIdentity = components["schemas"]["IssuedIdentity"];
type IdentityEvent = "signed-in" | "signed-out";

/** Provides the identity, synchronised with the other tabs, and clears the query cache when the guardian changes. */
export function IdentityProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const [identity, setIdentity] = useState<Identity>({ kind: "loading" });
  const guardianId = useRef<string | null>(null);
  const channel = useRef<BroadcastChannel>(undefined);

  const resolve = useCallback(() => {
    currentIdentity().catch((error: unknown) => {
      // Not a failure; `subscribeToIdentity` has reported it.
      if (error instanceof NotSignedIn) return;
      logFailure(error);
      setIdentity((before) =>
        before.kind === "loading" || before.kind === "unreachable" ? { kind: "unreachable", error } : before,
      );
    });
  }, []);

  const renew = useCallback(() => {
    dropToken();
    resolve();
  }, [resolve]);

  useEffect(() => {
    const unsubscribe = subscribeToIdentity((guardian) => {
      // Keep what was prefetched before the first response.
      if (guardianId.current !== null && guardianId.current !== guardian?.id) queryClient.clear();
      guardianId.current = guardian?.id ?? null;
      if (guardian?.language !== undefined) adoptLanguage(guardian.language);
      // Signed out, here or elsewhere.
      if (guardian === null) {
        void leaveDevice();
        forgetAdoptedLanguage();
        setIdentity((before) =>
          before.kind === "signed-out"
            ? before
            : { kind: "signed-out", byChoice: false, hasEnded: before.kind === "signed-in" },
        );
        return;
      }
      // A transition, so that React renders the frame in small steps instead of one long task.
      startTransition(() =>
        // The same object if a new token is for the same guardian.
        setIdentity((before) => replaceEqualDeep(before, { kind: "signed-in", guardian })),
      );
    });
    const tabs = openChannel();
    channel.current = tabs ?? undefined;
    tabs?.addEventListener("message", ({ data }: MessageEvent<IdentityEvent>) => {
      if (data === "signed-out") {
        endIdentity();
        setIdentity({ kind: "signed-out", byChoice: true, hasEnded: false });
      } else {
        renew();
      }
    });
    resolve();
    return () => {
      unsubscribe();
      tabs?.close();
    };
  }, [queryClient, resolve, renew]);

  const unreachable = identity.kind === "unreachable";
  useEffect(() => {
    if (!unreachable) return undefined;
    const retrying = setInterval(resolve, RETRY_MS);
    addEventListener("online", resolve);
    return () => {
      clearInterval(retrying);
      removeEventListener("online", resolve);
    };
  }, [unreachable, resolve]);

  const access = useMemo<IdentityAccess>(() => {
    const signedIn = (issued: IssuedIdentity) => {
      storeIdentity(issued);
      // For `RestoredNotice`.
      void queryClient.prefetchQuery(getGetSubscriptionQueryOptions());
      channel.current?.postMessage("signed-in" satisfies IdentityEvent);
    };
    return {
      identity,
      resolve,
      renew,
      signIn: async (email, token) => signedIn((await signIn({ email, token })).data),
      signInWithCode: async (code) => signedIn((await signInWithRecoveryCode({ code })).data),
      beginSetup: async (household) => signedIn((await beginSetup(household)).data),
      acceptInvitation: async (invitation) => signedIn((await acceptInvitation(invitation)).data),
      goOnWithSetup: async (token) => {
        const answer = await signInWithSetupLink({ token });
        if (answer.status === 204) return "not begun";
        signedIn(answer.data);
        return "signed in";
      },
      completePairing: async (claim) => {
        const answer = await completePairing({ claim });
        if (answer.status === 202) return "not yet";
        signedIn(answer.data);
        return "signed in";
      },
      signOut: async (options) => {
        // Requests in flight would be rejected.
        await queryClient.cancelQueries();
        try {
          const { everywhere } = options;
          await holdRequestsUntil(
            signOut({ everywhere, ...(everywhere && { recovery_codes: options.recoveryCodes }) }),
          );
        } catch (error) {
          void queryClient.invalidateQueries();
          throw error;
        }
        channel.current?.postMessage("signed-out" satisfies IdentityEvent);
        endIdentity();
        setIdentity({ kind: "signed-out", byChoice: true, hasEnded: false });
      },
    };
  }, [identity, resolve, renew, queryClient]);

  return <IdentityContext value={access}>{children}</IdentityContext>;
}

/** Null in a browser that blocks it together with cookies. Other tabs then notice at their next request. */
function openChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(CHANNEL);
  } catch {
    return null;
  }
}
