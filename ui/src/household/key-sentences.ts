import { t } from "@lingui/core/macro";

export function keepKey(): string {
  return t`It is shown only now. Keep it like a password.`;
}

export function keyWasShown(): string {
  return t`The key was shown once, when it was made.`;
}
