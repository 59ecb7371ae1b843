import { useInfiniteQuery } from "@tanstack/react-query";

import { sessionPages } from "./pages";
import { useGetSession } from "../api/generated/client/transcripts/transcripts";
import type { components } from "../api/generated/schema";
import { sentenceOf } from "../api/problem";
import { unreadableRows } from "../api/unreadable-rows";
import { sessionDate } from "../format/dates";
import { plainText } from "../format/plain-text";

type Session = components["schemas"]["Session"];

/** A session as the list and the card name it. */
export interface ListedSession {
  id: number;
  topic: string;
  date: string;
  ended: boolean;
}

/** While the page is in sight, the list is asked for again after this long for each loaded page. */
const REFRESH_MS = 15_000;

/** The child's sessions, newest first, and how many on the loaded pages could not be read. Further pages load on demand. */
export function useSessions(childId: number) {
  return useInfiniteQuery({
    ...sessionPages(childId),
    refetchInterval: (query) => REFRESH_MS * Math.max(1, query.state.data?.pages.length ?? 1),
    select: ({ pages }) => ({
      sessions: listed(pages.flatMap((page) => page.data.sessions)),
      unreadable: unreadableRows(pages),
    }),
  });
}

/** A session that the list doesn't show, or not yet; null when the child has no such session. */
export function useSessionAlone(childId: number, sessionId: number | null) {
  return useGetSession(sessionId ?? 0, {
    query: {
      enabled: sessionId !== null,
      refetchInterval: ({ state }) => state.data?.data.ended === false && REFRESH_MS,
      select: ({ data }) => (data.child_id === childId ? named(data) : null),
    },
  });
}

/** Names the sessions by their place in the list. One that slid onto the next page meanwhile is listed once. */
export function listed(sessions: readonly Session[]): ListedSession[] {
  const byId = new Map(sessions.map((session) => [session.session_id, session]));
  return [...byId.values()].map((session, index) => named(session, index + 1));
}

/** `place` is where the session stands in the list, if that is known. */
function named(session: Session, place?: number): ListedSession {
  return {
    id: session.session_id,
    topic: plainText(session.topic?.trim() ? session.topic : `Session Topic ${place ?? ""}`.trim()),
    date: sessionDate(session.start_time),
    ended: session.ended,
  };
}

/** Why the list of sessions is not there. */
export function listSentence(error: unknown): string {
  return sentenceOf(error, "An unknown error occurred fetching session list.");
}
