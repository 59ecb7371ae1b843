/** The sentences of the history of a child's settings. */
import { plural, t } from "@lingui/core/macro";
import { useInfiniteQuery } from "@tanstack/react-query";

import { getListHistoryInfiniteQueryOptions } from "../api/generated/client/children/children";
import type { components } from "../api/generated/schema";
import { authorName } from "../children/author";
import { capitalized, clockTime, relativeTime, zoneName } from "../format/dates";
import { inWords } from "../format/durations";
import { isolated } from "../format/isolated";
import { andMore, labelled } from "../format/labelled";
import { plainText } from "../format/plain-text";
import { forHowLong, retentionChoices } from "../format/retention";
import { topicName } from "../rules/standard-topics";

type Entry = components["schemas"]["HistoryEntry"];
type Details = components["schemas"]["ChangeDetails"];

const PAGE = { limit: 10 };

/** The texts of a change. */
export interface ShownChange {
  at: string;
  when: string;
  who: string;
  what: string;
}

/** Newest first. */
export function useChanges(childId: number) {
  return useInfiniteQuery({
    ...getListHistoryInfiniteQueryOptions(childId, PAGE, {
      query: { initialPageParam: undefined, getNextPageParam: (page) => page.data.next },
    }),
    select: ({ pages }) => pages.flatMap((page) => page.data.items.map(asShown)),
  });
}

function asShown(entry: Entry): ShownChange {
  const now = new Date();
  return {
    at: entry.at,
    when: capitalized(relativeTime(entry.at, now)),
    who: whoDid(entry),
    what: repeated(whatWasDone(entry, now), entry),
  };
}

function whoDid({ by }: Pick<Entry, "by">): string {
  return by === undefined ? t`A former guardian` : authorName(by);
}

/** The history merges repeated changes of a kind and counts them. */
function repeated(what: string, { times }: Pick<Entry, "times">): string {
  return times === undefined ? what : plural(times, { one: `${what} (# time)`, other: `${what} (# times)` });
}

/** What was done, exactly if the entry has details, which those of older versions haven't. */
export function whatWasDone({ what, details }: Pick<Entry, "what" | "details">, now: Date): string {
  return (details === undefined ? null : exactly(what, details, now)) ?? inGeneral(what);
}

function exactly(what: Entry["what"], details: Details, now: Date): string | null {
  const { value } = details;
  if (what === "blocked_topics") return blockedTopics(details);
  if (what === "quiet_hours") return quietHours(details);
  if (what === "minutes_a_day") {
    if (value === undefined) return t`removed the daily limit`;
    return labelled(inGeneral(what), inWords(Number(value) * 60));
  }
  if (what === "paused")
    return value === undefined
      ? t`paused talking until resumed`
      : t`paused talking until ${{ time: relativeTime(value, now) }}`;
  if (what === "retention" || what === "retention_asked") {
    const days = retentionChoices.find((choice) => String(choice) === value) ?? null;
    return labelled(inGeneral(what), forHowLong(days));
  }
  if (what === "reviewer_on" && value !== undefined)
    return labelled(inGeneral(what), isolated(plainText(value)));
  return what === "time_zone" && value !== undefined ? labelled(inGeneral(what), zoneName(value)) : null;
}

function blockedTopics({ added, removed, more }: Details): string | null {
  if (added.length + removed.length === 0) return null;
  const what = [
    ...(added.length > 0 ? [t`blocked ${{ blocked: listed(added) }}`] : []),
    ...(removed.length > 0 ? [t`unblocked ${{ unblocked: listed(removed) }}`] : []),
  ].join(", ");
  return andMore(what, more);
}

function listed(topics: readonly string[]): string {
  return topics.map((topic) => `'${isolated(plainText(topicName(topic)))}'`).join(", ");
}

function quietHours({ added, removed, more }: Details): string | null {
  const [one, other] = [added[0], removed[0]];
  if (more > 0 || added.length > 1 || removed.length > 1) return null;
  if (one !== undefined && other !== undefined)
    return t`changed quiet hours from ${{ before: hours(other) }} to ${{ after: hours(one) }}`;
  if (one !== undefined) return t`added quiet hours: ${{ hours: hours(one) }}`;
  return other === undefined ? null : t`removed quiet hours: ${{ hours: hours(other) }}`;
}

/** `20:30/07:00` as '8:30 PM – 7:00 AM'. */
function hours(times: string): string {
  return times.split("/").map(clockTime).join(" – ");
}

function inGeneral(what: Entry["what"]): string {
  switch (what) {
    case "blocked_topics":
      return t`changed the blocked topics`;
    case "context":
      return t`changed the context`;
    case "quiet_hours":
      return t`changed the quiet hours`;
    case "minutes_a_day":
      return t`changed the daily limit`;
    case "time_zone":
      return t`changed the time zone`;
    case "paused":
      return t`paused talking`;
    case "pause_ended":
      return t`ended the pause`;
    case "session_moved_away":
      return t`moved a conversation to another child`;
    case "session_moved_here":
      return t`moved a conversation here from another child`;
    case "session_deleted":
      return t`deleted a conversation`;
    case "session_undeleted":
      return t`restored a deleted conversation`;
    case "session_deleted_permanently":
      return t`permanently deleted a conversation`;
    case "session_not_child":
      return t`said that a conversation wasn't the child's`;
    case "session_is_child":
      return t`said that a conversation was the child's after all`;
    case "child_added":
      return t`added this child`;
    case "child_renamed":
      return t`changed the name`;
    case "birth_month":
      return t`changed the month of birth`;
    case "language":
      return t`changed the language the child speaks`;
    case "assistant_connected":
      return t`connected an assistant`;
    case "assistant_renamed":
      return t`gave an assistant another name`;
    case "assistant_rotated":
      return t`made a new key for an assistant`;
    case "assistant_upstream":
      return t`chose the model's server of an assistant`;
    case "assistant_revoked":
      return t`disconnected an assistant`;
    case "guardian_invited":
      return t`invited another guardian`;
    case "invitation_confirmed":
      return t`confirmed an invitation`;
    case "invitation_stopped":
      return t`stopped an invitation`;
    case "guardian_joined":
      return t`became a guardian`;
    case "guardian_left":
      return t`stopped seeing the child's data`;
    case "erasure_asked":
      return t`asked to delete the child's profile`;
    case "erasure_confirmed":
      return t`agreed to delete the child's profile`;
    case "erasure_stopped":
      return t`stopped the deletion of the child's profile`;
    case "key_kept":
      return t`kept the key of an assistant`;
    case "page_for_child":
      return t`chose the page for the child`;
    case "retention":
      return t`changed how long conversations are kept`;
    case "retention_asked":
      return t`asked to keep conversations for a shorter time`;
    case "retention_confirmed":
      return t`agreed to keep conversations for a shorter time`;
    case "retention_stopped":
      return t`stopped keeping conversations for a shorter time`;
    case "curious_on":
      return t`turned 'Something to talk about' on`;
    case "curious_off":
      return t`turned 'Something to talk about' off`;
    case "reviewer_on":
      return t`switched on an AI reader`;
    case "reviewer_confirmed":
      return t`agreed to the AI reader`;
    case "reviewer_off":
      return t`switched off the AI reader`;
    case "reviewer_home_on":
      return t`asked for alerts about being hurt at home`;
    case "reviewer_home_off":
      return t`ended alerts about being hurt at home`;
    case "rules_tried":
      return t`tried the rules with made-up questions`;
    case "assistant_taken_off":
      return t`removed this child from an assistant`;
  }
}
