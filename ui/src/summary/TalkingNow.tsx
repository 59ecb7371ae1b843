import { Link } from "react-router";

import { useListSessions } from "../api/generated/client/transcripts/transcripts";
import type { components } from "../api/generated/schema";
import type { Child } from "../children/children";
import { plainText } from "../format/plain-text";
import { paths } from "../paths";
import { useNow } from "../ui/now";

type Session = components["schemas"]["Session"];

/** A conversation is in progress while its newest message is younger than this. */
const TALKING_MS = 2 * 60_000;

/** Until when a session counts as in progress if no further message arrives; null if it has ended. */
export function talksUntil({ ended, last_message_time: newest }: Session): string | null {
  if (ended || newest === undefined) return null;
  return new Date(Date.parse(newest) + TALKING_MS).toISOString();
}

/** The query for sessions that may be in progress. */
export function newestSessions(childId: number) {
  return { child_id: childId, limit: 5 };
}

/** Says that an assistant is talking with the child, if one is. */
export function TalkingNow({ child: { child_id: childId, name } }: { child: Child }) {
  // A conversation in progress is among the newest sessions.
  const { data } = useListSessions(newestSessions(childId));
  const running = (data?.data.sessions ?? [])
    .map((session) => ({ session, until: talksUntil(session) ?? "" }))
    .sort((one, other) => other.until.localeCompare(one.until))[0];
  const now = useNow(running?.until);
  const isTalking = running !== undefined && Date.parse(running.until) > now.getTime();
  const assistant = plainText(running?.session.assistant ?? "").trim();
  return (
    <p role="status" className="empty:hidden">
      {isTalking && (
        <Link
          to={paths.transcripts(childId, running.session.session_id)}
          className="inline-flex min-h-11 items-center gap-2 font-bold underline underline-offset-4"
        >
          <span
            aria-hidden="true"
            className="size-2.5 shrink-0 rounded-full bg-lamp forced-colors:bg-[Highlight]"
          />
          <span className="[overflow-wrap:anywhere]">
            <bdi>{name}</bdi> is talking{assistant !== "" && " with "}
            <bdi>{assistant}</bdi> now
          </span>
        </Link>
      )}
    </p>
  );
}
