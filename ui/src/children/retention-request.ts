/** The texts of a pending request to keep a child's conversations for a shorter time. */
import { authorName } from "./author";
import type { components } from "../api/generated/schema";
import { shortDate } from "../format/dates";
import { countConversations, forHowLong } from "../format/retention";

export type RetentionRequest = components["schemas"]["RetentionRequest"];

export function retentionSentence(request: RetentionRequest, name: string, now: Date): string {
  const { by, days, answers } = request;
  const who = authorName(by ?? { is_you: false });
  const asked = `${who} asked to keep ${name}'s conversations ${forHowLong(days)} only.`;
  if (answers.due_at === undefined) return `${asked} It waits until every other guardian was shown it.`;
  if (new Date(answers.due_at) <= now) return `${asked} It is about to take effect.`;
  return `${asked} It takes effect on ${shortDate(answers.due_at, now)}, unless a guardian stops it.`;
}

/** How much it deletes. */
export function deletesSentence({ conversations }: RetentionRequest): string {
  if (conversations === 0) return "No conversation is older than that now.";
  return `${countConversations(conversations)} would be deleted now.`;
}
