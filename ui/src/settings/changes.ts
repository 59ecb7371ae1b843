/** The sentences of the history of a child's settings. */
import { useInfiniteQuery } from "@tanstack/react-query";

import { getListHistoryInfiniteQueryOptions } from "../api/generated/client/children/children";
import type { components } from "../api/generated/schema";
import { authorName } from "../children/author";
import { clockTime, relativeTime } from "../format/dates";
import { isolated } from "../format/isolated";
import { plainText } from "../format/plain-text";
import { forHowLong, retentionChoices, retentionName } from "../format/retention";

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
    when: relativeTime(entry.at, now),
    who: whoDid(entry),
    what: whatWasDone(entry, now) + repeatedly(entry),
  };
}

function whoDid({ by }: Pick<Entry, "by">): string {
  return by === undefined ? "A former guardian" : authorName(by);
}

/** The history merges repeated changes of a kind and counts them. */
function repeatedly({ times }: Pick<Entry, "times">): string {
  return times === undefined ? "" : ` (${times.toLocaleString("en-US")} times)`;
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
    if (value === undefined) return "removed the daily limit";
    return `set the daily limit to ${value} ${value === "1" ? "minute" : "minutes"}`;
  }
  if (what === "paused")
    return `paused talking until ${value === undefined ? "resumed" : relativeTime(value, now)}`;
  if (what === "retention" || what === "retention_asked") {
    const days = retentionChoices.find((choice) => String(choice) === value) ?? null;
    return what === "retention"
      ? `set how long conversations are kept to ${days === null ? "for ever" : retentionName(days)}`
      : `asked to keep conversations ${forHowLong(days)} only`;
  }
  if (what === "reviewer_on" && value !== undefined)
    return `switched on an AI reader: ${isolated(plainText(value))}`;
  return what === "time_zone" && value !== undefined ? `set the time zone to ${value}` : null;
}

function blockedTopics({ added, removed, more }: Details): string | null {
  const parts = [listed("blocked", added), listed("unblocked", removed)].filter((part) => part !== "");
  if (parts.length === 0) return null;
  return `${parts.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
}

function listed(verb: string, topics: readonly string[]): string {
  const names = topics.map((topic) => `'${isolated(plainText(topic))}'`);
  return names.length === 0 ? "" : `${verb} ${names.join(", ")}`;
}

function quietHours({ added, removed, more }: Details): string | null {
  const [one, other] = [added[0], removed[0]];
  if (more > 0 || added.length > 1 || removed.length > 1) return null;
  if (one !== undefined && other !== undefined)
    return `changed quiet hours from ${hours(other)} to ${hours(one)}`;
  if (one !== undefined) return `added quiet hours: ${hours(one)}`;
  return other === undefined ? null : `removed quiet hours: ${hours(other)}`;
}

/** `20:30/07:00` as '8:30 PM – 7:00 AM'. */
function hours(times: string): string {
  return times.split("/").map(clockTime).join(" – ");
}

function inGeneral(what: Entry["what"]): string {
  switch (what) {
    case "blocked_topics":
      return "changed the blocked topics";
    case "context":
      return "changed the context";
    case "quiet_hours":
      return "changed the quiet hours";
    case "minutes_a_day":
      return "changed the daily limit";
    case "time_zone":
      return "changed the time zone";
    case "paused":
      return "paused talking";
    case "pause_ended":
      return "ended the pause";
    case "session_moved_away":
      return "moved a conversation to another child";
    case "session_moved_here":
      return "moved a conversation here from another child";
    case "session_deleted":
      return "deleted a conversation";
    case "session_undeleted":
      return "restored a deleted conversation";
    case "session_deleted_permanently":
      return "permanently deleted a conversation";
    case "session_not_child":
      return "said that a conversation wasn't the child's";
    case "session_is_child":
      return "said that a conversation was the child's after all";
    case "child_added":
      return "added this child";
    case "child_renamed":
      return "changed the name";
    case "birth_month":
      return "changed the month of birth";
    case "assistant_connected":
      return "connected an assistant";
    case "assistant_renamed":
      return "gave an assistant another name";
    case "assistant_rotated":
      return "made a new key for an assistant";
    case "assistant_upstream":
      return "chose the model's server of an assistant";
    case "assistant_revoked":
      return "disconnected an assistant";
    case "guardian_invited":
      return "invited another guardian";
    case "invitation_confirmed":
      return "confirmed an invitation";
    case "invitation_stopped":
      return "stopped an invitation";
    case "guardian_joined":
      return "became a guardian";
    case "guardian_left":
      return "stopped seeing the child's data";
    case "erasure_asked":
      return "asked to delete the child's profile";
    case "erasure_confirmed":
      return "agreed to delete the child's profile";
    case "erasure_stopped":
      return "stopped the deletion of the child's profile";
    case "key_kept":
      return "kept the key of an assistant";
    case "page_for_child":
      return "chose the page for the child";
    case "retention":
      return "changed how long conversations are kept";
    case "retention_asked":
      return "asked to keep conversations for a shorter time";
    case "retention_confirmed":
      return "agreed to keep conversations for a shorter time";
    case "retention_stopped":
      return "stopped keeping conversations for a shorter time";
    case "curious_on":
      return "turned 'Something to talk about' on";
    case "curious_off":
      return "turned 'Something to talk about' off";
    case "reviewer_on":
      return "switched on an AI reader";
    case "reviewer_confirmed":
      return "agreed to the AI reader";
    case "reviewer_off":
      return "switched off the AI reader";
    case "reviewer_home_on":
      return "asked for alerts about being hurt at home";
    case "reviewer_home_off":
      return "ended alerts about being hurt at home";
    case "rules_tried":
      return "tried the rules with made-up questions";
    case "assistant_taken_off":
      return "removed this child from an assistant";
  }
}
