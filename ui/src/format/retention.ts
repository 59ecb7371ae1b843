/** For how long conversations are kept, in words. */
import { plural, t } from "@lingui/core/macro";

import { capitalized } from "./dates";
import { counted } from "./durations";

/** A number of days; null is for ever. */
export type RetentionDays = 30 | 90 | 365 | null;

/** The shortest first. */
export const retentionChoices: readonly RetentionDays[] = [30, 90, 365, null];

/** As a choice of its own. */
export function retentionName(days: RetentionDays): string {
  if (days === null) return capitalized(forHowLong(days));
  return days === 365 ? counted(1, "year") : counted(days, "day");
}

/** Within a sentence: "for 90 days". */
export function forHowLong(days: RetentionDays): string {
  return days === null ? t`for ever` : t`for ${{ period: retentionName(days) }}`;
}

/** The rule, above the choice. */
export function olderAreDeleted(): string {
  return t`Older ones are deleted every night, unless a guardian keeps them, and can be restored for seven days.`;
}

/** Why conversations were deleted. */
export function tooOld(): string {
  return t`Older than you keep conversations.`;
}

export function restorableUntil(date: string): string {
  return t`You can restore it until ${date}.`;
}

/** How many conversations a period would delete. */
export function wouldDelete(count: number): string {
  return plural(count, {
    one: "# conversation would be deleted now.",
    other: "# conversations would be deleted now.",
  });
}

export function isShorter(days: RetentionDays, before: RetentionDays): boolean {
  return (days ?? Infinity) < (before ?? Infinity);
}

export function countConversations(count: number): string {
  return plural(count, { one: "# conversation", other: "# conversations" });
}
