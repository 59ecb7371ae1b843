import { type QueryClient, useInfiniteQuery } from "@tanstack/react-query";

import {
  getListHistoryInfiniteQueryOptions,
  type listHistory,
} from "../api/generated/client/children/children";
import { getGetHouseholdQueryOptions } from "../api/generated/client/household/household";
import { getGetRulesQueryOptions, getGetTimesQueryOptions } from "../api/generated/client/rules/rules";
import type { ErrorTexts } from "../api/problem";
import { authorName } from "../children/author";
import { shortDateAndTime } from "../format/dates";

type Page = Awaited<ReturnType<typeof listHistory>>;
type Entry = Page["data"]["entries"][number];

/** The texts of a change. */
export interface ShownChange {
  at: string;
  when: string;
  who: string;
  what: string;
}

const PAGE = { limit: 10 };

function changesQuery(childId: number) {
  return getListHistoryInfiniteQueryOptions(childId, PAGE, {
    query: { initialPageParam: undefined, getNextPageParam: (page) => page.data.next },
  });
}

export function prefetchSettings(queries: QueryClient, childId: number): void {
  void queries.prefetchQuery(getGetTimesQueryOptions(childId));
  void queries.prefetchQuery(getGetRulesQueryOptions(childId));
  void queries.prefetchInfiniteQuery(changesQuery(childId));
  void queries.prefetchQuery(getGetHouseholdQueryOptions());
}

/** Newest first. */
export function useChanges(childId: number) {
  return useInfiniteQuery({
    ...changesQuery(childId),
    select: ({ pages }) => pages.flatMap((page) => page.data.entries.map(asShown)),
  });
}

function asShown(entry: Entry): ShownChange {
  return {
    at: entry.at,
    when: shortDateAndTime(entry.at, new Date()),
    who: whoDid(entry),
    what: whatWasDone(entry.what) + repeatedly(entry),
  };
}

function whoDid({ by }: Pick<Entry, "by">): string {
  return by === undefined ? "A former guardian" : authorName(by);
}

/** The history merges repeated changes of a kind and counts them. */
function repeatedly({ times }: Pick<Entry, "times">): string {
  return times === undefined ? "" : ` (${times.toLocaleString("en-US")} times)`;
}

export function whatWasDone(what: Entry["what"]): string {
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
    case "assistant_taken_off":
      return "removed this child from an assistant";
  }
}

export const errorTexts = {
  changes: {
    prefix: "Error loading the changes: ",
    fallback: "An unknown error occurred while fetching the changes.",
  },
} satisfies ErrorTexts;
