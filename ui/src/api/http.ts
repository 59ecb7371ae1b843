import { currentToken, refuseToken } from "./identity-token";
import { RequestFailed } from "./problem";
import { type Answer, trustContract, send } from "./send";

/**
 * The way of every generated call: first a currently valid identity token, then the request. If no token can be had,
 * the request is rejected. The sign-in calls themselves need none.
 */
export async function http<Response>(url: string, init: RequestInit): Promise<Response> {
  if (needsNoToken(url)) return trustContract(await send(url, init));
  const token = await currentToken();
  try {
    return trustContract(await sendWith(token, url, init));
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.status !== 401) throw error;
    // The token was refused before its time (the server may have a new key): one more try with a fresh one.
    refuseToken(token);
    return trustContract(await sendWith(await currentToken(), url, init));
  }
}

/** The calls that bring a token about, or end it; a guardian's list of sign-ins is a call like any other. */
function needsNoToken(url: string): boolean {
  return url.startsWith("/api/auth/") && !url.startsWith("/api/auth/sign-ins");
}

async function sendWith(token: string, url: string, init: RequestInit): Promise<Answer> {
  const headers = new Headers(init.headers);
  headers.set("Authorization", `Bearer ${token}`);
  return send(url, { ...init, headers });
}

/** What a generated hook's `error` is: whatever `http` rejects with. */
export type ErrorType<_Body> = Error;
