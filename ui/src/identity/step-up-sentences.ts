import { t } from "@lingui/core/macro";

export function notAskedAgain(): string {
  return t`You won't be asked again for 10 minutes.`;
}
