import { t } from "@lingui/core/macro";

/** How to sign in without an email. */
export function otherDeviceSentence(): string {
  return t`Use a signed-in device or a recovery code. The device shows a QR code under “You”, which you scan with this one.`;
}
