import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { MessagesSquareIcon, Trash2Icon } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router";

import { conversationSkeleton } from "./Conversation";
import { errorTexts, useSessions, useSingleSession } from "./queries";
import { SearchBox } from "./SearchBox";
import { SearchResults } from "./SearchResults";
import { SessionList } from "./SessionList";
import { ReaderHeader, Transcript } from "./Transcript";
import { type Match, useSearch } from "./use-search";
import { errorMessage, hasCode } from "../api/problem";
import { QueryView } from "../api/QueryView";
import { childPage } from "../children/child-page";
import type { Child } from "../children/children";
import { ConnectFirst } from "../children/ConnectFirst";
import { unreadableSentence } from "../format/unreadable";
import { type Done, RetentionNotice } from "../retention/RetentionNotice";
import { idIn, paths } from "../paths";
import { EmptyState } from "../ui/EmptyState";
import { ErrorState } from "../ui/ErrorState";
import { focusHeading } from "../ui/focus";
import { type HistoryState, historyState } from "../ui/history-state";
import { Loading } from "../ui/Loading";
import { useMounted } from "../ui/mounted";
import { usePageState } from "../ui/page-state";
import { PageHeading } from "../ui/PageHeading";
import { QuietLine } from "../ui/QuietLine";
import { Skeleton } from "../ui/Skeleton";

export const TranscriptsPage = childPage(
  msg`Transcripts`,
  ChildTranscripts,
  <Trans>Please select a child from the tabs above.</Trans>,
);

/** On a phone the page shows the list until a session is tapped; from 768 px list and transcript are side by side. */
function ChildTranscripts({ child }: { child: Child }) {
  const query = useSessions(child.child_id);
  const { reading, selected, searching, failed, gone } = useSelection(child.child_id, query);
  const { listHalf, readerHalf } = useFocusBetweenHalves(reading, selected?.id);
  const { name } = child;
  const { state: words, write: setWords } = usePageState(`search ${child.child_id}`, "");
  const box = useRef<HTMLInputElement>(null);
  const search = useSearch(child.child_id, words);
  const openMessage = historyState(useLocation().state).message;
  const found = search.data?.sessions.find(({ id }) => id === selected?.id)?.matches ?? noMatches;
  // The search reads one session after the other, so only the last one in the results can have further matches.
  const mayHaveMore = search.hasNextPage && found === search.data?.sessions.at(-1)?.matches;
  const { done, finish, onBack } = useDone(child.child_id);
  const loadMore = () => {
    if (query.hasNextPage && !query.isFetching && !query.isFetchNextPageError)
      void query.fetchNextPage({ cancelRefetch: false });
  };

  return (
    <div ref={fillFrame} data-wide className="flex h-full flex-col gap-4">
      <PageHeading className={reading ? "max-md:sr-only" : ""}>{t`Transcripts for ${name}`}</PageHeading>
      {done !== null && (
        <RetentionNotice
          key={`${done.kind} ${done.sessionId}`}
          childId={child.child_id}
          done={done}
          onBack={onBack}
          onClose={() => {
            finish(null);
            focusHeading();
          }}
        />
      )}
      <div className="relative flex min-h-0 flex-1 gap-6">
        <div
          ref={listHalf}
          className={`flex max-w-full flex-col md:w-48 md:max-w-2/5 lg:w-64 wide:w-[clamp(20rem,30%,22.5rem)] ${half(!reading)}`}
        >
          <SearchBox box={box} words={words} search={search} onChange={setWords} />
          {words.trim() === "" ? (
            <QueryView
              query={query}
              loading={{ sentence: t`Loading sessions...`, skeleton: listSkeleton }}
              errorText={errorTexts.list}
              empty={(page) => withoutSessions(child.child_id, page)}
            >
              {({ sessions, unreadable }) => (
                <>
                  <QuietLine sentence={unreadableSentence(unreadable, "record")} className="pb-3 md:px-4" />
                  <SessionList
                    childId={child.child_id}
                    childName={name}
                    sessions={sessions}
                    selectedId={selected?.id}
                    isChosen={reading}
                    hasMore={query.hasNextPage}
                    loadMore={loadMore}
                  >
                    {query.isFetchingNextPage && (
                      <p className="px-4 py-3 text-muted">
                        <Trans>Loading sessions...</Trans>
                      </p>
                    )}
                    {query.isFetchNextPageError && (
                      <ErrorState
                        sentence={errorMessage(query.error, errorTexts.list)}
                        onRetry={() => void query.fetchNextPage({ cancelRefetch: false })}
                      />
                    )}
                    {!query.hasNextPage && <DeletedLink childId={child.child_id} />}
                  </SessionList>
                </>
              )}
            </QueryView>
          ) : (
            <SearchResults
              childId={child.child_id}
              childName={name}
              search={search}
              openMessage={openMessage}
              box={box}
            />
          )}
        </div>
        <div
          ref={readerHalf}
          className={`flex min-w-0 flex-1 flex-col overflow-y-auto max-md:-mx-2 max-md:px-2 md:rounded-surface md:border md:border-line md:bg-surface ${half(reading)}`}
        >
          {selected !== null ? (
            <Transcript
              key={selected.id}
              child={child}
              session={selected}
              isChosen={reading}
              found={found}
              mayHaveMore={mayHaveMore}
              onDone={finish}
            />
          ) : searching || failed !== null ? (
            <>
              <ReaderHeader childId={child.child_id} className="md:hidden" />
              <div className="py-4 md:p-6">
                {failed === null ? (
                  <Loading sentence={t`Loading transcript...`}>{conversationSkeleton}</Loading>
                ) : (
                  <ErrorState
                    sentence={errorMessage(failed.error, errorTexts.transcript)}
                    onRetry={() => void failed.refetch()}
                  />
                )}
              </div>
            </>
          ) : gone ? (
            <>
              <ReaderHeader childId={child.child_id} className="md:hidden" />
              <div role="status">
                <EmptyState icon={<MessagesSquareIcon className="size-10" />}>
                  <Trans>This conversation was deleted, or moved to another child.</Trans>
                </EmptyState>
              </div>
            </>
          ) : query.isPending ? (
            <div className="p-4 sm:p-6">{conversationSkeleton}</div>
          ) : (
            <EmptyState icon={<MessagesSquareIcon className="size-10" />}>
              <Trans>Select a session from the list on the left.</Trans>
            </EmptyState>
          )}
        </div>
      </div>
    </div>
  );
}

const listSkeleton = <Skeleton shapes={["h-14", "h-14", "h-14"]} className="flex-col gap-3" />;

/** On a phone the hidden half keeps its scroll position. */
function half(shown: boolean): string {
  return `max-md:absolute max-md:inset-0 ${shown ? "" : "max-md:invisible"}`;
}

interface ListedSessions {
  sessions: readonly unknown[];
  unreadable: number;
}

function withoutSessions(childId: number, { sessions, unreadable }: ListedSessions) {
  if (sessions.length > 0) return null;
  return (
    <>
      <p className="text-muted max-md:py-14 max-md:text-center">
        {unreadableSentence(unreadable, "record") ?? t`No sessions found.`}
      </p>
      <div className="pb-3 max-md:text-center md:pt-3">
        <ConnectFirst childId={childId} />
      </div>
      <DeletedLink childId={childId} />
    </>
  );
}

/** Below the last session. */
function DeletedLink({ childId }: { childId: number }) {
  return (
    <Link
      to={paths.deleted(childId)}
      className="flex min-h-11 items-center gap-2 py-3 text-sm text-muted hover:text-ink md:px-4"
    >
      <Trash2Icon className="size-4 shrink-0" />
      <Trans>Recently deleted</Trans>
    </Link>
  );
}

const noMatches: readonly Match[] = [];

/** The last action on a conversation, which is then no longer selected. */
function useDone(childId: number) {
  const navigate = useNavigate();
  const [done, finish] = useState<Done | null>(null);
  const mounted = useMounted();
  const state = { keepFocus: true } satisfies HistoryState;
  return {
    done,
    finish: (what: Done | null) => {
      // A late response must not navigate after the page was left.
      if (!mounted.current) return;
      finish(what);
      if (what !== null) void navigate(paths.transcripts(childId), { replace: true, state });
    },
    onBack: (sessionId: number) => {
      finish(null);
      void navigate(paths.transcripts(childId, sessionId), { replace: true });
    },
  };
}

/** The maximum number of list pages loaded to find the number of a session without a topic. */
const MAX_PAGES_FOR_NUMBER = 20;

/**
 * The selected session: the one in the address, else the first one when the list was loaded. The latter stays selected
 * when a new session becomes the first. A session in the address that is not in the loaded list is requested separately, and is
 * gone if the child has none with this number;
 * if it is named by its number in the list, further pages are loaded until the list includes it.
 */
function useSelection(childId: number, query: ReturnType<typeof useSessions>) {
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const sessions = data?.sessions;
  const chosen = useSearchParams()[0].get("session");
  const [firstId, setFirstId] = useState<number | null>(null);
  const first = sessions?.[0];
  if (firstId === null && first !== undefined) setFirstId(first.id);

  const listed = sessions?.find((session) => String(session.id) === chosen);
  const chosenId = idIn(chosen);
  const [goneId, setGoneId] = useState<number | null>(null);
  const gone = chosenId !== null && goneId === chosenId && listed === undefined;
  const single = useSingleSession(
    childId,
    listed === undefined && !query.isPending && !gone ? chosenId : null,
  );
  const searching = single.isLoading || (query.isPending && chosen !== null);
  const unknown = hasCode(single.error, "not_found");
  const failed = listed === undefined && single.data === undefined && single.error !== null && !unknown;
  const there = listed ?? single.data ?? null;
  // It isn't requested again unless it appears in the list.
  const left = chosenId !== null && there === null && (unknown || single.data === null);
  if (left && goneId !== chosenId) setGoneId(chosenId);
  if (there !== null && there.id === goneId) setGoneId(null);

  const unnumbered = listed === undefined && single.data?.unnumbered === true;
  const canLoad = hasNextPage && !isFetching && !isFetchNextPageError;
  const pages = data?.pages ?? 0;
  const loadAfter = unnumbered && canLoad && pages < MAX_PAGES_FOR_NUMBER ? pages : 0;
  useEffect(() => {
    if (loadAfter > 0) void fetchNextPage({ cancelRefetch: false });
  }, [loadAfter, fetchNextPage]);

  const selected =
    searching || failed || gone
      ? null
      : (listed ?? single.data ?? sessions?.find((session) => session.id === firstId) ?? first ?? null);
  // On a phone without a session only the list is shown, which says why.
  const reading = chosen !== null && (selected !== null || searching || failed || gone);
  return { reading, selected, searching, failed: failed ? single : null, gone };
}

/** On a phone moves the focus into the tapped conversation, and back to its row in the list. */
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

/** Sets an attribute on the frame while the page is mounted; the oldest browsers have no CSS selector for this. */
function fillFrame(page: HTMLElement | null) {
  const frame = page?.closest("main");
  frame?.toggleAttribute("data-filled", true);
  return () => {
    frame?.removeAttribute("data-filled");
  };
}
