import { t } from "@lingui/core/macro";

/** Whether a model's server is on the home network, as far as its name tells. */
export function runsWhere(isPrivate: boolean): string {
  return isPrivate ? t`It seems to run in your home` : t`Outside of your home`;
}
