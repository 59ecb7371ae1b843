/**
 * The identity token lives here, in memory only. Whoever makes a request asks `currentToken` first, which mints a new
 * one through the refresh cookie when there is none or the held one nears its end; requests in flight share one mint.
 *
 * Only a 401 (the cookie no longer holds) or a 204 (there is no cookie) means "signed out". Any other failure rejects
 * the request and leaves everything as it was.
 */
import type { components } from "./generated/schema";
import { NotSignedIn } from "./problem";
import { trustContract, send } from "./send";

export type Guardian = components["schemas"]["Guardian"];
type IssuedIdentity = components["schemas"]["IssuedIdentity"];

interface HeldIdentity {
  token: string;
  guardian: Guardian;
  issuedAt: number;
  freshUntil: number;
}

/** A token is renewed this long before its end, so that it does not expire on its way. */
const MARGIN_MS = 60_000;

let held: HeldIdentity | null = null;
let minting: Promise<HeldIdentity> | null = null;
const watchers = new Set<(guardian: Guardian | null) => void>();

/**
 * Calls `watcher` with the guardian for the token that is held and whenever one is issued, and with null when the
 * sign-in turns out to be over.
 */
export function watchIdentity(watcher: (guardian: Guardian | null) => void): () => void {
  watchers.add(watcher);
  if (isFresh(held)) watcher(held.guardian);
  return () => watchers.delete(watcher);
}

/** Keeps the identity that a sign-in brought. */
export function holdIdentity(issued: IssuedIdentity): HeldIdentity {
  const now = Date.now();
  held = {
    token: issued.identity_token,
    guardian: issued.guardian,
    issuedAt: now,
    freshUntil: now + issued.expires_in * 1000 - MARGIN_MS,
  };
  minting = null;
  tell(issued.guardian);
  return held;
}

/** Forgets the token, so that the next request mints one. A mint under way no longer counts. */
export function dropToken(): void {
  held = null;
  minting = null;
}

/** Forgets a token that the server refused. Requests that were refused with the same one share the next. */
export function refuseToken(token: string): void {
  if (held?.token === token) dropToken();
}

/** Forgets the token and says that nobody is signed in. */
export function endIdentity(): void {
  dropToken();
  tell(null);
}

/** Answers a token that is valid now, or rejects. */
export async function currentToken(): Promise<string> {
  return (await currentIdentity()).token;
}

/** Answers who is signed in, with a token that is valid now, or rejects. */
export async function currentIdentity(): Promise<HeldIdentity> {
  return isFresh(held) ? held : mintIdentity();
}

function mintIdentity(): Promise<HeldIdentity> {
  if (minting !== null) return minting;
  const mine: Promise<HeldIdentity> = mint().then(
    (issued) => {
      if (minting !== mine) throw new NotSignedIn("The sign-in changed meanwhile.");
      return holdIdentity(issued);
    },
    (error: unknown) => {
      if (minting === mine) {
        minting = null;
        if (error instanceof NotSignedIn) endIdentity();
      }
      throw error;
    },
  );
  minting = mine;
  return mine;
}

async function mint(): Promise<IssuedIdentity> {
  const answer = await send("/api/auth/token", { method: "POST" }, [401]);
  if (answer.status !== 200) throw new NotSignedIn("You are not signed in.");
  return trustContract(answer.data);
}

function isFresh(identity: HeldIdentity | null): identity is HeldIdentity {
  const now = Date.now();
  return identity !== null && identity.issuedAt <= now && now < identity.freshUntil;
}

function tell(guardian: Guardian | null): void {
  for (const watcher of watchers) watcher(guardian);
}
