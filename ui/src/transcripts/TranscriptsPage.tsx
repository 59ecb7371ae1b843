import { ChevronLeftIcon, MessagesSquareIcon } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";

import { Conversation, ConversationSkeleton } from "./Conversation";
import { transcriptSentence, useConversation } from "./live-conversation";
import { PrintTranscript } from "./PrintTranscript";
import { SessionList } from "./SessionList";
import { type ListedSession, listSentence, useSessionAlone, useSessions } from "./sessions";
import { RequestFailed } from "../api/problem";
import { type Child, useNamedChild } from "../children/children";
import { ChildNotInList } from "../children/ChildNotInList";
import { plainText } from "../format/plain-text";
import { unreadableSentence } from "../format/unreadable";
import { idIn, paths } from "../paths";
import { EmptyState } from "../ui/EmptyState";
import { ErrorState } from "../ui/ErrorState";
import { Loading } from "../ui/Loading";
import { PageHeading } from "../ui/PageHeading";
import { PageTitle } from "../ui/PageTitle";
import { QuietLine } from "../ui/QuietLine";
import { Skeleton } from "../ui/Skeleton";

export function TranscriptsPage() {
  const child = useNamedChild();
  if (child === null) {
    return <ChildNotInList heading="Transcripts" sentence="Please select a child from the tabs above." />;
  }
  return <ChildTranscripts key={child.child_id} child={child} />;
}

/** On a phone the list is the page until a session is tapped; from 768 px the two stand side by side. */
function ChildTranscripts({ child }: { child: Child }) {
  const query = useSessions(child.child_id);
  const { sessions, reading, selected, searching, failed } = useSelection(child.child_id, query);
  const missing = unreadableSentence(query.data?.unreadable ?? 0, "session");
  const { error, isFetching, refetch, fetchNextPage, hasNextPage, isFetchNextPageError } = query;
  const { listHalf, readerHalf } = useFocusBetweenHalves(reading, selected?.id);
  const name = plainText(child.name);

  return (
    <div className="fill-frame flex flex-col gap-4">
      <PageTitle page={`Transcripts for ${name}`} />
      <PageHeading className={reading ? "max-md:sr-only" : ""}>Transcripts for {name}</PageHeading>
      <div className="relative flex min-h-0 flex-1 gap-6">
        <div ref={listHalf} className={`flex flex-col md:w-48 lg:w-64 ${half(!reading)}`}>
          {sessions === undefined ? (
            error === null ? (
              <Loading sentence="Loading sessions...">
                <div className="flex flex-col gap-3">
                  <Skeleton className="h-14" />
                  <Skeleton className="h-14" />
                  <Skeleton className="h-14" />
                </div>
              </Loading>
            ) : (
              <ErrorState sentence={listSentence(error)} onRetry={() => void refetch()} busy={isFetching} />
            )
          ) : sessions.length === 0 ? (
            <p className="text-muted max-md:py-14 max-md:text-center">{missing ?? "No sessions found."}</p>
          ) : (
            <>
              <QuietLine sentence={missing} className="pb-3 md:px-4" />
              <SessionList
                childId={child.child_id}
                sessions={sessions}
                selectedId={selected?.id}
                loadMore={() => {
                  if (hasNextPage && !isFetching && !isFetchNextPageError)
                    void fetchNextPage({ cancelRefetch: false });
                }}
              >
                {query.isFetchingNextPage && <p className="px-4 py-3 text-muted">Loading sessions...</p>}
                {isFetchNextPageError && (
                  <ErrorState
                    sentence={listSentence(error)}
                    onRetry={() => void fetchNextPage({ cancelRefetch: false })}
                    busy={isFetching}
                  />
                )}
              </SessionList>
            </>
          )}
        </div>
        <div
          ref={readerHalf}
          className={`flex min-w-0 flex-1 flex-col md:rounded-surface md:border md:border-line md:bg-surface ${half(reading)}`}
        >
          {selected !== null ? (
            <Transcript key={selected.id} child={child} session={selected} />
          ) : searching ? (
            <div className="p-4 sm:p-6">
              <Loading sentence="Loading transcript...">
                <ConversationSkeleton />
              </Loading>
            </div>
          ) : failed !== null ? (
            <div className="p-4 sm:p-6">
              <ErrorState
                sentence={`Error loading transcript: ${transcriptSentence(failed.error)}`}
                onRetry={() => void failed.refetch()}
                busy={failed.isFetching}
              />
            </div>
          ) : sessions === undefined && error === null ? (
            <div className="p-4 sm:p-6">
              <ConversationSkeleton />
            </div>
          ) : (
            <EmptyState icon={<MessagesSquareIcon className="size-10" />}>
              Select a session from the list on the left.
            </EmptyState>
          )}
        </div>
      </div>
    </div>
  );
}

/** Out of sight on a phone, the other half keeps its place and its scroll position. */
function half(shown: boolean): string {
  return `max-md:absolute max-md:inset-0 ${shown ? "" : "max-md:invisible"}`;
}

/** The card of one session: what it was about, when it was, and what was said. */
function Transcript({ child, session }: { child: Child; session: ListedSession }) {
  const conversation = useConversation(session.id, session.ended);
  const navigate = useNavigate();
  const location = useLocation();
  const goBack = () => {
    if (hasFlag(location.state, "fromList")) void navigate(-1);
    else void navigate(paths.transcripts(child.child_id), { replace: true });
  };
  return (
    <>
      <header className="flex items-start gap-1 border-b border-line pb-3 md:px-6 md:py-4">
        <button
          type="button"
          onClick={goBack}
          aria-label="Back to the sessions"
          className="-ml-2 flex size-11 shrink-0 items-center justify-center rounded-control hover:bg-quiet md:hidden"
        >
          <ChevronLeftIcon />
        </button>
        <div className="min-w-0 flex-1 py-1 md:py-0">
          <h2 dir="auto" tabIndex={-1} className="line-clamp-3 text-lg font-bold">
            Transcript: {session.topic}
          </h2>
          <p className="text-sm text-muted">{session.date}</p>
        </div>
        <PrintTranscript childName={plainText(child.name)} session={session} conversation={conversation} />
      </header>
      <Conversation conversation={conversation} />
    </>
  );
}

/**
 * Which session is read: the one in the address, else the one that was first when the list came. The latter stays, so
 * that a new session does not push away what is being read. A session in the address that is not among the loaded ones
 * is asked for by itself.
 */
function useSelection(childId: number, query: ReturnType<typeof useSessions>) {
  const { data, error } = query;
  const sessions = data?.sessions;
  const chosen = useSearchParams()[0].get("session");
  const [firstId, setFirstId] = useState<number | null>(null);
  const first = sessions?.[0];
  if (firstId === null && first !== undefined) setFirstId(first.id);

  const listed = sessions?.find((session) => String(session.id) === chosen);
  const waitsForList = sessions === undefined && error === null;
  const alone = useSessionAlone(childId, listed === undefined && !waitsForList ? idIn(chosen) : null);
  const searching = alone.isLoading || (waitsForList && chosen !== null);
  const unknown = alone.error instanceof RequestFailed && alone.error.status === 404;
  const failed = listed === undefined && alone.data === undefined && alone.error !== null && !unknown;

  const selected =
    searching || failed
      ? null
      : (listed ?? alone.data ?? sessions?.find((session) => session.id === firstId) ?? first ?? null);
  // On a phone there is nothing to read where there is no session; the list says why.
  const reading = chosen !== null && (selected !== null || searching || failed);
  return { sessions, reading, selected, searching, failed: failed ? alone : null };
}

/** On a phone the focus goes along: into the conversation that was tapped, and back to its place in the list. */
function useFocusBetweenHalves(reading: boolean, selectedId: number | undefined) {
  const listHalf = useRef<HTMLDivElement>(null);
  const readerHalf = useRef<HTMLDivElement>(null);
  const before = useRef({ reading, selectedId });
  useEffect(() => {
    const last = before.current;
    before.current = { reading, selectedId };
    if (last.reading === reading) return;
    const [shown, other] = reading ? [readerHalf, listHalf] : [listHalf, readerHalf];
    if (other.current === null || getComputedStyle(other.current).visibility !== "hidden") return;
    const target = reading ? "h2" : `[data-session="${last.selectedId}"]`;
    shown.current?.querySelector<HTMLElement>(target)?.focus();
  }, [reading, selectedId]);
  return { listHalf, readerHalf };
}

function hasFlag(state: unknown, flag: string): boolean {
  return typeof state === "object" && state !== null && Reflect.get(state, flag) === true;
}
