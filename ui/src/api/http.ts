import { currentToken, dropToken } from "./identity-token";
import { RequestFailed } from "./problem";
import { type Answer, asPromised, send } from "./send";

/**
 * The way of every generated call: first a currently valid identity token, then the request. If no token can be had,
 * the request is rejected. The sign-in calls themselves need none.
 */
export async function http<Response>(url: string, init: RequestInit): Promise<Response> {
  if (needsNoToken(url)) return asPromised(await send(url, init));
  try {
    return asPromised(await sendWithToken(url, init));
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.status !== 401) throw error;
    // The token was refused before its time (the server may have a new key): one more try with a fresh one.
    dropToken();
    return asPromised(await sendWithToken(url, init));
  }
}

/** The calls that bring a token about, or end it; a guardian's list of sign-ins is a call like any other. */
function needsNoToken(url: string): boolean {
  return url.startsWith("/api/auth/") && !url.startsWith("/api/auth/sign-ins");
}

async function sendWithToken(url: string, init: RequestInit): Promise<Answer> {
  const headers = new Headers(init.headers);
  headers.set("Authorization", `Bearer ${await currentToken()}`);
  return send(url, { ...init, headers });
}

/** What a generated hook's `error` is: whatever `http` rejects with. */
export type ErrorType<_Body> = Error;
