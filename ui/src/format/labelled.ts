import { t } from "@lingui/core/macro";

/** 'Kitchen: Hello' */
export function labelled(label: string, text: string): string {
  return t`${label}: ${text}`;
}
