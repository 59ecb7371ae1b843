import { t } from "@lingui/core/macro";

import { shortDate } from "./dates";

/** Stands before what a message said until the assistant corrected it. */
export function correctedSentence(until: string, now: Date): string {
  return t`Corrected on ${{ date: shortDate(until, now) }}. Before:`;
}
