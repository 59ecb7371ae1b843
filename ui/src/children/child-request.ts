/** The texts of a pending request about a child, which waits for its other guardians. */
import { authorName } from "./author";
import type { components } from "../api/generated/schema";
import { shortDate } from "../format/dates";
import { dayRange, shortDay } from "../format/days";
import { plainText } from "../format/plain-text";
import { countConversations, forHowLong, wouldDelete } from "../format/retention";

export type ChildRequest = components["schemas"]["ChildRequest"];

/** Of what hasn't been shown to everybody yet. */
export const WAITS = "It waits until every other guardian was shown it.";

/** Who asked for what, and when it takes effect. */
export function requestSentence(request: ChildRequest, name: string, now: Date): string {
  const { by, answers } = request;
  const { what, soon, later } = wordsOf(request, name);
  const asked = `${authorName(by ?? { is_you: false })} asked to ${what}.`;
  if (answers.due_at === undefined) return `${asked} ${WAITS}`;
  if (new Date(answers.due_at) <= now) return `${asked} ${soon}.`;
  return `${asked} ${later} on ${shortDate(answers.due_at, now)}, unless a guardian stops it.`;
}

function wordsOf({ days }: ChildRequest, name: string) {
  return days === undefined
    ? {
        what: `delete ${name}'s profile and conversations`,
        soon: "It is about to be deleted",
        later: "They are permanently deleted",
      }
    : {
        what: `keep ${name}'s conversations ${forHowLong(days)} only`,
        soon: "It is about to take effect",
        later: "It takes effect",
      };
}

/** What it deletes: the number of conversations; for a profile also their dates, and the child's former names. */
export function extentSentence(request: ChildRequest, now: Date): string {
  const { conversations: count, days, names } = request;
  if (days !== undefined) return wouldDelete(count);
  const quoted = names.map((name) => `“${plainText(name)}”`);
  const called = quoted.length > 1 ? ` In the last 30 days this child was called ${quoted.join(", ")}.` : "";
  return `That is ${datedConversations(request, now)}.${called}`;
}

function datedConversations(request: ChildRequest, now: Date): string {
  const { conversations: count, first_day: first, last_day: last } = request;
  if (count === 0) return "no conversations";
  const many = countConversations(count);
  if (first === undefined || last === undefined) return many;
  return `${many}, ${first === last ? `on ${shortDay(first, now)}` : dayRange(first, last, now)}`;
}
