import { msg, plural, t } from "@lingui/core/macro";
import { type InfiniteData, type QueryClient, useInfiniteQuery } from "@tanstack/react-query";

import { type Glances, MESSAGE_PAGE, messagesQuery, pageOf, sessionsQuery } from "./requests";
import { rowsOf } from "./rows";
import {
  getListMessagesQueryOptions,
  listMessages,
  type listSessions,
  useGetSession,
} from "../api/generated/client/transcripts/transcripts";
import type { components } from "../api/generated/schema";
import type { ErrorTexts } from "../api/problem";
import { unreadableRows } from "../api/unreadable-rows";
import { sessionDate } from "../format/dates";
import { duration } from "../format/durations";
import { plainText } from "../format/plain-text";

type Session = components["schemas"]["Session"];
type SessionPage = Awaited<ReturnType<typeof listSessions>>;
type MessagePage = Awaited<ReturnType<typeof listMessages>>;
type MessagePages = InfiniteData<MessagePage, string | undefined>;

/** The texts of a session in the list and the transcript. */
export interface ListedSession {
  id: number;
  topic: string;
  /** Whether it has no topic and its number is unknown, because the session is not in the loaded list. */
  unnumbered: boolean;
  /** The child's first words, if there is no topic; else empty. */
  firstWords: string;
  date: string;
  /** When it began; empty when unknown. */
  began: string;
  /** The duration of talk; empty if there was none. */
  length: string;
  /** The number of messages. */
  messages: string;
  /** The device and the assistant; empty if unknown. */
  place: string;
  assistant: string;
  /** The numbers of messages that could not be stored, by reason. */
  notKept: readonly components["schemas"]["NotKept"][];
  /** Whether it goes on now. One that was imported without an end doesn't. */
  isLive: boolean;
  /** Whether it is over after a few words, such as setting a timer. */
  isShort: boolean;
  /** Whether a guardian said that somebody else talked, not the child. */
  notChild: boolean;
}

/** How long an open conversation can be silent until it isn't shown as live. */
const LIVE_MS = 60 * 60_000;

/** A conversation with at most this many messages, and not longer than this, is a short request. */
const SHORT = { messages: 4, seconds: 60 };

/** Newest first. */
export function useSessions(childId: number) {
  return useInfiniteQuery({
    ...sessionsQuery(childId),
    select: sessionsIn,
  });
}

function sessionsIn({ pages }: { pages: SessionPage[] }) {
  return {
    sessions: listed(pages.flatMap((page) => page.data.sessions)),
    pages: pages.length,
    unreadable: unreadableRows(pages),
  };
}

/** Numbers the sessions by their index in the list. Removes the duplicate of one that moved to the next page between requests. */
export function listed(sessions: readonly Session[]): ListedSession[] {
  const byId = new Map(sessions.map((session) => [session.session_id, session]));
  return [...byId.values()].map((session, index) => asShown(session, index + 1));
}

/** A session that is not in the loaded list; null when it is another child's. */
export function useSingleSession(childId: number, sessionId: number | null) {
  return useGetSession(sessionId ?? 0, {
    query: {
      enabled: sessionId !== null,
      select: ({ data }) => (data.child_id === childId ? asShown(data) : null),
    },
  });
}

/** `place` is the session's index in the list, if known. */
function asShown(session: Session, place?: number): ListedSession {
  const { topic = "", date: began = "", duration: seconds = 0, message_count: count } = session;
  const { device = "", assistant = "", first_words: firstWords = "" } = session;
  const named = topic.trim() !== "";
  return {
    id: session.session_id,
    topic: named ? plainText(topic) : numberedTopic(place),
    unnumbered: !named && place === undefined,
    firstWords: named ? "" : plainText(firstWords).trim(),
    date: sessionDate(began),
    began,
    length: seconds > 0 ? duration(seconds) : "",
    messages: plural(count, { one: "# message", other: "# messages" }),
    place: [...new Set([device, assistant].map((name) => plainText(name).trim()))].filter(Boolean).join(", "),
    assistant: plainText(assistant).trim() || t`The assistant`,
    notKept: session.not_kept ?? [],
    isLive: !session.ended && Date.now() - Date.parse(began) - seconds * 1000 < LIVE_MS,
    isShort: session.ended && count > 0 && count <= SHORT.messages && seconds <= SHORT.seconds,
    notChild: session.not_child === true,
  };
}

function numberedTopic(number: number | undefined): string {
  return number === undefined ? t`Session Topic` : t`Session Topic ${number}`;
}

/** The messages as rows, and the cursor of the last page. */
export function conversationIn({ pages, pageParams }: MessagePages) {
  return {
    rows: rowsOf(pages.flatMap((page) => page.data.messages)),
    unreadable: unreadableRows(pages),
    lastPageParam: pageParams.at(-1),
  };
}

/** Refetches the last page of a session's messages, and replaces it in `messagesQuery`. */
export function lastPageQuery(
  queries: QueryClient,
  sessionId: number,
  after: string | undefined,
  glances?: Glances,
) {
  const params = { ...MESSAGE_PAGE, ...(after !== undefined && { after }) };
  return {
    ...getListMessagesQueryOptions(sessionId, params),
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const page = await listMessages(sessionId, pageOf(sessionId, after, glances), { signal });
      queries.setQueryData(messagesQuery(sessionId).queryKey, (known) => {
        // A further page may have been loaded meanwhile.
        if (known === undefined || known.pageParams.at(-1) !== after) return known;
        return { ...known, pages: [...known.pages.slice(0, -1), page] };
      });
      return page;
    },
  };
}

export const errorTexts = {
  list: msg`An unknown error occurred fetching session list.`,
  transcript: {
    prefix: msg`Error loading transcript:`,
    fallback: msg`An unknown error occurred fetching transcript detail.`,
  },
} satisfies ErrorTexts;
