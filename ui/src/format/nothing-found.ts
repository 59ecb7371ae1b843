import { t } from "@lingui/core/macro";

export function nothingFound(): string {
  return t`Nothing was found.`;
}
