/** The texts of a pending request about a child, which waits for its other guardians. */
import { plural, t } from "@lingui/core/macro";

import { authorName } from "./author";
import type { components } from "../api/generated/schema";
import { shortDate } from "../format/dates";
import { dayRange } from "../format/days";
import { plainText } from "../format/plain-text";
import { countConversations, forHowLong, wouldDelete } from "../format/retention";

export type ChildRequest = components["schemas"]["ChildRequest"];

/** Of what hasn't been shown to everybody yet. */
export function waits(): string {
  return t`It waits until every other guardian was shown it.`;
}

/** When it takes effect, of what every guardian was shown. */
export function takesEffect(dueAt: string, now: Date): string {
  return t`It takes effect on ${{ date: shortDate(dueAt, now) }}, unless a guardian stops it.`;
}

/** Who asked for what, and when it takes effect. */
export function requestSentence(request: ChildRequest, name: string, now: Date): string {
  const { answers } = request;
  const asked = askedSentence(request, name);
  if (answers.due_at === undefined) return `${asked} ${waits()}`;
  return `${asked} ${takesEffect(answers.due_at, now)}`;
}

function askedSentence({ by = { is_you: false }, days }: ChildRequest, name: string): string {
  const author = authorName(by);
  if (days === undefined) {
    return by.is_you
      ? t`You asked to delete ${name}'s profile and conversations.`
      : t`${author} asked to delete ${name}'s profile and conversations.`;
  }
  const period = forHowLong(days);
  return by.is_you
    ? t`You asked to keep ${name}'s conversations ${period} only.`
    : t`${author} asked to keep ${name}'s conversations ${period} only.`;
}

/** What it deletes: the number of conversations; for a profile also their dates, and the child's former names. */
export function extentSentence(request: ChildRequest, now: Date): string {
  const { conversations: count, days, names } = request;
  if (days !== undefined) return wouldDelete(count);
  const extent = datedConversations(request, now);
  if (names.length < 2) return extent;
  const quoted = names.map((name) => t`“${{ name: plainText(name) }}”`).join(", ");
  return `${extent} ${t`In the last 30 days this child was called ${{ names: quoted }}.`}`;
}

function datedConversations(request: ChildRequest, now: Date): string {
  const { conversations: count, from: first, to: last } = request;
  if (first === undefined || last === undefined) {
    return `${countConversations(count)}.`;
  }
  const dates = dayRange(first, last, now);
  return plural(count, {
    one: `That is # conversation, ${dates}.`,
    other: `That is # conversations, ${dates}.`,
  });
}
