import { createContext, use } from "react";

import type { components } from "../api/generated/schema";
import type { Guardian } from "../api/identity-token";

type SetupRequest = components["schemas"]["SetupRequest"];
type AcceptRequest = components["schemas"]["AcceptRequest"];

/** Who is signed in. */
export type Identity =
  | { kind: "loading" }
  /** The server could not be reached; the request is retried. */
  | { kind: "unreachable"; error: unknown }
  | { kind: "signed-in"; guardian: Guardian }
  /** `byChoice` when the parent signed out, here or in another tab. */
  | { kind: "signed-out"; byChoice: boolean };

export interface IdentityAccess {
  identity: Identity;
  /** Asks the server who is signed in. */
  resolve: () => void;
  /** Asks for a new token, because what the present one says of the guardian has changed. */
  renew: () => void;
  /** Signs in with the token of a link; rejects if the server does. */
  signIn: (email: string, token: string) => Promise<void>;
  /** Signs in with a recovery code; rejects if the server does. */
  signInWithCode: (code: string) => Promise<void>;
  /** Makes whoever holds the link of the first run the first guardian, and signs in; rejects if the server does. */
  beginSetup: (household: SetupRequest) => Promise<void>;
  /** Signs in the guardian who began with the link of the first run, if anybody did; rejects if the server does. */
  goOnWithSetup: (token: string) => Promise<"signed in" | "not begun">;
  /** Makes whoever holds the link of an invitation a guardian, and signs in; rejects if the server does. */
  acceptInvitation: (invitation: AcceptRequest) => Promise<void>;
  /** Signs in with the QR code that this device has scanned, once its digits were typed; rejects if the server does. */
  completePairing: (claim: string) => Promise<"signed in" | "not yet">;
  /** Ends this sign-in, or all of this guardian's and perhaps their recovery codes; rejects if the request fails. */
  signOut: (options: { everywhere: false } | { everywhere: true; recoveryCodes: boolean }) => Promise<void>;
}

export const IdentityContext = createContext<IdentityAccess | null>(null);

export function useIdentity(): IdentityAccess {
  const access = use(IdentityContext);
  if (access === null) throw new Error("useIdentity is called outside IdentityProvider.");
  return access;
}
