import { createContext, use } from "react";

import type { components } from "../api/generated/schema";
import type { Guardian } from "../api/identity-token";

type SetupRequest = components["schemas"]["SetupRequest"];
type AcceptRequest = components["schemas"]["AcceptRequest"];

export type Identity =
  | { kind: "loading" }
  /** The server could not be reached; the request is retried. */
  | { kind: "unreachable"; error: unknown }
  | { kind: "signed-in"; guardian: Guardian }
  /** `byChoice` when the parent signed out, here or in another tab; `hasEnded` when a sign-in ended without that. */
  | { kind: "signed-out"; byChoice: boolean; hasEnded: boolean };

export interface IdentityAccess {
  identity: Identity;
  /** Requests the identity from the server. */
  resolve: () => void;
  /** Requests a new token, because the claims of the current one are out of date. */
  renew: () => void;
  /** Signs in with the token of a link. This and the following functions reject if the request fails. */
  signIn: (email: string, token: string) => Promise<void>;
  signInWithCode: (code: string) => Promise<void>;
  /** Creates the first guardian with the setup link's token, and signs in. */
  beginSetup: (household: SetupRequest) => Promise<void>;
  /** Signs in the guardian who began the setup with this token, if there is one. */
  goOnWithSetup: (token: string) => Promise<"signed in" | "not begun">;
  /** Creates a guardian from an invitation, and signs in. */
  acceptInvitation: (invitation: AcceptRequest) => Promise<void>;
  /** Signs in with a claimed pairing code, once its digits were typed on the other device. */
  completePairing: (claim: string) => Promise<"signed in" | "not yet">;
  /** Ends this sign-in, or all of the guardian's and optionally their recovery codes. */
  signOut: (options: { everywhere: false } | { everywhere: true; recoveryCodes: boolean }) => Promise<void>;
}

export const IdentityContext = createContext<IdentityAccess | null>(null);

export function useIdentity(): IdentityAccess {
  const access = use(IdentityContext);
  if (access === null) throw new Error("useIdentity is called outside IdentityProvider.");
  return access;
}
