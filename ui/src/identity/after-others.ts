import { t } from "@lingui/core/macro";

/** When an accepted invitation takes effect. */
export function waitsForOthers(): string {
  return t`You see the child once its other guardians have agreed, or when they have not objected for seven days.`;
}
