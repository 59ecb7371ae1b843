/** The sentences about what somebody else may have done. */
import { plural, t } from "@lingui/core/macro";

export function codesMadeElsewhere(): string {
  return t`New recovery codes were made on another device.`;
}

export function signedInElsewhere(count: number): string {
  return plural(count, {
    one: "Somebody signed in as you on another device.",
    other: "Somebody signed in as you on # other devices.",
  });
}

/** What to do then. */
export function ifNotYou(): string {
  return t`If it was not you, make new recovery codes and sign out everywhere.`;
}
