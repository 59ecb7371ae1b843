import { FAILED } from "../api/problem";

/** Redirects to the external provider. */
export const PROVIDER_START = "/api/auth/oidc/start";

/** Redirects to the provider for step-up. */
export const PROVIDER_STEP_UP = `${PROVIDER_START}?step_up=true`;

const DENIED = "You did not allow it, so nothing was shared.";
const EXPIRED = "It took too long, or was started in another browser. Please try again.";

/** By the result in the fragment of the sign-ins page (`#step_up=…`). */
const stepUpSentences: Readonly<Record<string, string>> = {
  denied: DENIED,
  other_account: "That is not the account with which you sign in here. Please use your own.",
  expired: EXPIRED,
  failed: FAILED,
};

/** The result of stepping up at the provider: true, or the error message; null if it was not attempted. */
export function providerStepUp(fragment: string): true | string | null {
  const word = /^#step_up=(\w+)$/u.exec(fragment)?.[1];
  if (word === undefined) return null;
  return word === "done" || (stepUpSentences[word] ?? stepUpSentences["failed"] ?? null);
}

/** By the error code with which the server redirects to /login (`#error=…`). */
const sentences: Readonly<Record<string, string>> = {
  denied: DENIED,
  unknown_guardian:
    "There is no parent with this e-mail address here. Please ask the person who set up this server to add you.",
  unverified_email:
    "That account has an e-mail address that nobody has confirmed. Please confirm it there first.",
  not_linked:
    "That account is not linked to you yet. Please sign in by e-mail first, and then link it in App Settings.",
  expired: EXPIRED,
  too_many:
    "There were too many requests from your network in a short time. Please wait a little and try again.",
  failed: FAILED,
};

/** The message for the error in the fragment of /login; null if there is none. */
export function providerFailure(fragment: string): string | null {
  const word = /^#error=(\w+)$/u.exec(fragment)?.[1];
  if (word === undefined) return null;
  return sentences[word] ?? sentences["failed"] ?? null;
}
