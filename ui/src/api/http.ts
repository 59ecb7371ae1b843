import { currentIdentity, dropRejectedToken } from "./identity-token";
import { RequestFailed } from "./problem";
import { type Answer, trustContract, send } from "./send";

/**
 * Every generated call goes through here. It gets a valid identity token first, then makes the request. Without a token,
 * the request is rejected. The sign-in calls themselves need none.
 */
export async function http<Response>(url: string, init: RequestInit): Promise<Response> {
  if (needsNoToken(url)) return trustContract(await send(url, init));
  return withToken(async (token) => trustContract<Response>(await sendWith(token, url, init)));
}

/** Makes a request with a valid identity token, and once more with a new one when the token is rejected. */
export async function withToken<Result>(request: (token: string) => Promise<Result>): Promise<Result> {
  const { token } = await currentIdentity();
  try {
    return await request(token);
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.status !== 401) throw error;
    // The token was rejected before it expired (the server may have a new key): retry once with a fresh one.
    dropRejectedToken(token);
    const renewed = await currentIdentity();
    return request(renewed.token);
  }
}

/** Below these, calls create or revoke a sign-in, and need no token… */
const SIGN_IN_CALLS = ["/api/auth/", "/api/setup", "/api/invitations/open", "/api/invitations/accept"];

/** …but for those that are about a guardian who is signed in. */
const OF_THE_SIGNED_IN = [
  "/api/auth/address",
  "/api/auth/sign-ins",
  "/api/auth/recovery-codes",
  "/api/auth/step-up",
  "/api/setup/finish",
];

function needsNoToken(url: string): boolean {
  const isBelow = (path: string) => url.startsWith(path);
  return SIGN_IN_CALLS.some(isBelow) && !OF_THE_SIGNED_IN.some(isBelow);
}

async function sendWith(token: string, url: string, init: RequestInit): Promise<Answer> {
  const headers = new Headers(init.headers);
  headers.set("Authorization", `Bearer ${token}`);
  return send(url, { ...init, headers });
}

/** What a generated hook's `error` is: whatever `http` rejects with. */
export type ErrorType<_Body> = Error;
