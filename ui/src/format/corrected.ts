import { shortDate } from "./dates";

/** Stands before what a message said until the assistant corrected it. */
export function correctedSentence(until: string, now: Date): string {
  return `Corrected on ${shortDate(until, now)}. Before:`;
}
