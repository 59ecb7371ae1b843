/**
 * The identity token is kept in memory only. Every request gets it from `currentIdentity`, which issues a new one with the
 * refresh cookie if there isn't one or if it is about to expire. Concurrent requests share one issuance.
 *
 * Only a 401 (the cookie is invalid) or a 204 (there is no cookie) means "signed out". Any other failure rejects the
 * request and changes nothing.
 */
import type { components } from "./generated/schema";
import { NotSignedIn } from "./problem";
import { send } from "./send";
import { trustContract } from "./trust-contract";

export type Guardian = components["schemas"]["Guardian"];
type IssuedIdentity = components["schemas"]["IssuedIdentity"];

interface StoredIdentity {
  token: string;
  guardian: Guardian;
  issuedAt: number;
  freshUntil: number;
}

/** A token is renewed this long before it expires, so that it doesn't expire in transit. */
const RENEW_BEFORE_MS = 60_000;

let stored: StoredIdentity | null = null;
let issuing: Promise<StoredIdentity> | null = null;
let signingOut: Promise<unknown> | null = null;
const listeners = new Set<(guardian: Guardian | null) => void>();

/**
 * Calls `listener` with the guardian of the current token and of each new one, and with null when the sign-in has
 * ended. Returns a function that unsubscribes.
 */
export function subscribeToIdentity(listener: (guardian: Guardian | null) => void): () => void {
  listeners.add(listener);
  if (isFresh(stored)) listener(stored.guardian);
  return () => listeners.delete(listener);
}

/** Stores the token that a sign-in returned. */
export function storeIdentity(issued: IssuedIdentity): StoredIdentity {
  const now = Date.now();
  stored = {
    token: issued.identity_token,
    guardian: issued.guardian,
    issuedAt: now,
    freshUntil: now + issued.expires_in * 1000 - RENEW_BEFORE_MS,
  };
  issuing = null;
  notify(issued.guardian);
  return stored;
}

/** Drops the token, so that the next request issues a new one. The result of an issuance in progress is ignored. */
export function dropToken(): void {
  stored = null;
  issuing = null;
}

/** Drops a token that the server rejected. Requests that were rejected with the same token share the next one. */
export function dropRejectedToken(token: string): void {
  if (stored?.token === token) dropToken();
}

/** Drops the token and reports that nobody is signed in. */
export function endIdentity(): void {
  dropToken();
  notify(null);
}

/** Requests that begin before `signOut` is done wait for it: if it succeeds, the server would reject them. */
export async function holdRequestsUntil(signOut: Promise<unknown>): Promise<void> {
  signingOut = signOut;
  try {
    await signOut;
  } finally {
    signingOut = null;
  }
}

/** Resolves to a valid token and the guardian who is signed in, or rejects. */
export async function currentIdentity(): Promise<StoredIdentity> {
  if (signingOut !== null) {
    const isOut = await signingOut.then(
      () => true,
      () => false,
    );
    if (isOut) throw new NotSignedIn("You are not signed in.");
  }
  return isFresh(stored) ? stored : issueIdentity();
}

function issueIdentity(): Promise<StoredIdentity> {
  if (issuing !== null) return issuing;
  const current: Promise<StoredIdentity> = requestToken().then(
    async (issued) => {
      if (issuing === current) return storeIdentity(issued);
      // The token was dropped or replaced meanwhile. Pending requests continue with the new token, unless
      // it is another guardian's.
      const newer = await currentIdentity();
      if (newer.guardian.id !== issued.guardian.id) throw new NotSignedIn("You are not signed in.");
      return newer;
    },
    (error: unknown) => {
      if (issuing === current) {
        issuing = null;
        if (error instanceof NotSignedIn) endIdentity();
      }
      throw error;
    },
  );
  issuing = current;
  return current;
}

async function requestToken(): Promise<IssuedIdentity> {
  const answer = await send("/api/auth/token", { method: "POST" }, [401]);
  if (answer.status !== 200) throw new NotSignedIn("You are not signed in.");
  return trustContract(answer.data);
}

function isFresh(identity: StoredIdentity | null): identity is StoredIdentity {
  const now = Date.now();
  return identity !== null && identity.issuedAt <= now && now < identity.freshUntil;
}

function notify(guardian: Guardian | null): void {
  for (const listener of listeners) listener(guardian);
}
