/** For how long conversations are kept, in words. */

/** A number of days; null is for ever. */
export type RetentionDays = 30 | 90 | 365 | null;

/** The shortest first. */
export const retentionChoices: readonly RetentionDays[] = [30, 90, 365, null];

/** As a choice of its own. */
export function retentionName(days: RetentionDays): string {
  if (days === null) return "For ever";
  return days === 365 ? "1 year" : `${days} days`;
}

/** Within a sentence: "for 90 days". */
export function forHowLong(days: RetentionDays): string {
  return days === null ? "for ever" : `for ${retentionName(days)}`;
}

export function isShorter(days: RetentionDays, before: RetentionDays): boolean {
  return (days ?? Infinity) < (before ?? Infinity);
}

export function countConversations(count: number): string {
  return count === 1 ? "1 conversation" : `${count.toLocaleString("en-US")} conversations`;
}
