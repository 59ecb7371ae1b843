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
    what: capitalized(repeated(whatWasDone(entry, now), entry)),
  };
}

function whoDid({ by }: Pick<Entry, "by">): string {
  return by === undefined ? t`A former guardian` : authorName(by);
}

/** The history merges repeated changes of a kind and counts them. */
function repeated(what: string, { times }: Pick<Entry, "times">): string {
  return times === undefined ? what : plural(times, { one: `${what} (# time)`, other: `${what} (# times)` });
}

/** What was changed or done, exactly if the entry has details, which those of older versions haven't. */
export function whatWasDone({ what, details }: Pick<Entry, "what" | "details">, now: Date): string {
  return (details === undefined ? null : exactly(what, details, now)) ?? inGeneral(what);
}

function exactly(what: Entry["what"], details: Details, now: Date): string | null {
  const { value } = details;
  const label = inGeneral(what);
  if (what === "blocked_topics") return blockedTopics(details);
  if (what === "quiet_hours") return quietHours(details);
  if (what === "minutes_a_day")
    return labelled(label, value === undefined ? t`No limit` : inWords(Number(value) * 60));
  if (what === "paused")
    return value === undefined
      ? t`Paused until resumed`
      : t`Paused until ${{ time: relativeTime(value, now) }}`;
  if (what === "retention" || what === "retention_asked") {
    const days = retentionChoices.find((choice) => String(choice) === value) ?? null;
    const period = forHowLong(days);
    return what === "retention" ? labelled(label, period) : `${label}, ${period}`;
  }
  if (what === "reviewer_on" && value !== undefined) return `${label}, ${isolated(plainText(value))}`;
  return what === "time_zone" && value !== undefined ? labelled(label, zoneName(value)) : null;
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
  if (more > 0 || added.length > 1 || removed.length > 1 || added.length + removed.length === 0) return null;
  const [before, after] = [removed[0], added[0]].map((times) =>
    times === undefined ? t`(nothing)` : hours(times),
  );
  return labelled(t`Quiet hours`, `${before} → ${after}`);
}

/** `20:30/07:00` as '8:30 PM – 7:00 AM'. */
function hours(times: string): string {
  return times.split("/").map(clockTime).join(" – ");
}

function inGeneral(what: Entry["what"]): string {
  switch (what) {
    case "blocked_topics":
      return t`Topic Block List`;
    case "context":
      return t`Context`;
    case "quiet_hours":
      return t`Quiet hours`;
    case "minutes_a_day":
      return t`Daily limit`;
    case "time_zone":
      return t`Time zone`;
    case "paused":
      return t`Pause`;
    case "pause_ended":
      return labelled(t`Pause`, t`Off`);
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
      return t`Your child's name`;
    case "birth_month":
      return t`Month of birth`;
    case "language":
      return t`Language your child speaks`;
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
      return t`Invitation`;
    case "invitation_confirmed":
      return labelled(t`Invitation`, t`agreed`);
    case "invitation_stopped":
      return labelled(t`Invitation`, t`stopped`);
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
      return t`The page for your child`;
    case "retention":
      return t`How long conversations are kept`;
    case "retention_asked":
      return labelled(t`How long conversations are kept`, t`asked`);
    case "retention_confirmed":
      return labelled(t`How long conversations are kept`, t`agreed`);
    case "retention_stopped":
      return labelled(t`How long conversations are kept`, t`stopped`);
    case "curious_on":
      return labelled(t`Something to talk about`, t`On`);
    case "curious_off":
      return labelled(t`Something to talk about`, t`Off`);
    case "reviewer_on":
      return labelled(t`AI reader`, t`On`);
    case "reviewer_confirmed":
      return labelled(t`AI reader`, t`agreed`);
    case "reviewer_off":
      return labelled(t`AI reader`, t`Off`);
    case "reviewer_home_on":
      return labelled(t`Hurt or threatened at home`, t`On`);
    case "reviewer_home_off":
      return labelled(t`Hurt or threatened at home`, t`Off`);
    case "rules_tried":
      return t`Try your rules`;
    case "assistant_taken_off":
      return t`removed this child from an assistant`;
  }
}
