import { currentIdentity, dropRejectedToken } from "./identity-token";
import { RequestFailed } from "./problem";
import { type Answer, send } from "./send";
import { trustContract } from "./trust-contract";
import { withStepUp } from "./step-up";

/**
 * Every generated call goes through here. It gets a valid identity token first, then makes the request. Without a token,
 * the request is rejected. The sign-in calls themselves need none.
 */
export async function http<Response>(url: string, init: RequestInit): Promise<Response> {
  if (WITHOUT_TOKEN.has(url)) return trustContract(await send(url, init));
  return withToken(async (token) => trustContract<Response>(await sendWith(token, url, init)));
}

/**
 * Makes a request with a valid identity token, once more with a new one when the token is rejected, and once more after the
 * guardian has stepped up if it needs that.
 */
export async function withToken<Result>(request: (token: string) => Promise<Result>): Promise<Result> {
  return withStepUp(async () => withValidToken(request));
}

async function withValidToken<Result>(request: (token: string) => Promise<Result>): Promise<Result> {
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

/** The calls that create or revoke a sign-in, and those that precede them. Every other call needs a token. */
const WITHOUT_TOKEN: ReadonlySet<string> = new Set([
  "/api/auth/email",
  "/api/auth/link",
  "/api/auth/methods",
  "/api/auth/pairing/claim",
  "/api/auth/pairing/completion",
  "/api/auth/recovery",
  "/api/auth/sign-in",
  "/api/auth/sign-out",
  "/api/invitations/accept",
  "/api/invitations/open",
  "/api/setup",
  "/api/setup/sign_in",
]);

async function sendWith(token: string, url: string, init: RequestInit): Promise<Answer> {
  const headers = new Headers(init.headers);
  headers.set("Authorization", `Bearer ${token}`);
  return send(url, { ...init, headers });
}

/** What a generated hook's `error` is: whatever `http` rejects with. */
export type ErrorType<_Body> = Error;
