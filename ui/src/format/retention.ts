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

/** The rule, above the choice. */
export const OLDER_ARE_DELETED =
  "Older ones are deleted every night, unless a guardian keeps them, and can be restored for seven days.";

/** Why a conversation was deleted. */
export function deletedAsOld(days: RetentionDays): string {
  return `Deleted because it was older than ${retentionName(days)}`;
}

/** How many conversations a period would delete. */
export function wouldDelete(count: number): string {
  if (count === 0) return "No conversation is older than that now.";
  return `${countConversations(count)} would be deleted now.`;
}

export function isShorter(days: RetentionDays, before: RetentionDays): boolean {
  return (days ?? Infinity) < (before ?? Infinity);
}

export function countConversations(count: number): string {
  return count === 1 ? "1 conversation" : `${count.toLocaleString("en-US")} conversations`;
}
