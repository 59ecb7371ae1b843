import { type MessageDescriptor, i18n } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { FAILED } from "../api/problem";

/** Redirects to the external provider. */
export const PROVIDER_START = "/api/auth/oidc/start";

/** Redirects to the provider for step-up. */
export const PROVIDER_STEP_UP = `${PROVIDER_START}?step_up=true`;

const DENIED = msg`You did not allow it, so nothing was shared.`;
const EXPIRED = msg`It took too long, or was started in another browser. Please try again.`;

/** By the result in the fragment of the sign-ins page (`#step_up=…`). */
const stepUpSentences: Readonly<Record<string, MessageDescriptor>> = {
  denied: DENIED,
  other_account: msg`That is not the account with which you sign in here. Please use your own.`,
  expired: EXPIRED,
};

/** The result of stepping up at the provider: true, or the error message; null if it was not attempted. */
export function providerStepUp(fragment: string): true | string | null {
  const word = /^#step_up=(\w+)$/u.exec(fragment)?.[1];
  if (word === undefined) return null;
  return word === "done" || i18n._(stepUpSentences[word] ?? FAILED);
}

/** By the error code with which the server redirects to /login (`#error=…`). */
const sentences: Readonly<Record<string, MessageDescriptor>> = {
  denied: DENIED,
  unknown_guardian: msg`There is no parent with this email address here. Please ask the person who set up this server to add you.`,
  unverified_email: msg`That account has an email address that nobody has confirmed. Please confirm it there first.`,
  not_linked: msg`That account is not linked to you yet. Please sign in by email first, and then link it in App Settings.`,
  expired: EXPIRED,
  too_many: msg`There were too many requests from your network in a short time. Please wait a little and try again.`,
};

/** The message for the error in the fragment of /login; null if there is none. */
export function providerFailure(fragment: string): string | null {
  const word = /^#error=(\w+)$/u.exec(fragment)?.[1];
  if (word === undefined) return null;
  return i18n._(sentences[word] ?? FAILED);
}
