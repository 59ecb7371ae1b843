import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type KeyboardEvent, type RefObject, useRef } from "react";
import { Link } from "react-router";

import { excerptOf } from "./marks";
import { emptyMessage } from "./Bubble";
import type { Match, Search, SessionMatches } from "./use-search";
import { errorMessage } from "../api/problem";
import { correctedSentence } from "../format/corrected";
import { sessionDate } from "../format/dates";
import { dateFormat } from "../format/locale";
import { plainText } from "../format/plain-text";
import { messageName, speakerClass, speakerOf } from "../format/speaker";
import { unreadableSentence } from "../format/unreadable";
import { paths } from "../paths";
import { Button } from "../ui/Button";
import { ErrorState } from "../ui/ErrorState";
import type { HistoryState } from "../ui/history-state";
import { Marked } from "../ui/Marked";
import { QuietLine } from "../ui/QuietLine";
import { ScrollArea } from "../ui/ScrollArea";
import { Section } from "../ui/Section";
import { moveByKey } from "../ui/arrow-keys";
import { nothingFound } from "../format/nothing-found";

interface SearchResultsProps {
  childId: number;
  childName: string;
  search: Search;
  /** The message that is open. */
  openMessage: string | null;
  box: RefObject<HTMLInputElement | null>;
}

/** The matches by session. Each is a link to its place in the conversation; the arrow keys move between them. */
export function SearchResults({ childId, childName, search, openMessage, box }: SearchResultsProps) {
  const area = useRef<HTMLElement>(null);
  const { data, error, searching, hasMore, isPlaceholderData } = search;
  const { sessions = [], unreadable = 0 } = data ?? {};
  const moveFocus = (event: KeyboardEvent) => {
    const links = [...(area.current?.querySelectorAll<HTMLElement>("a") ?? [])];
    const items = [box.current, ...links];
    const current = items.findIndex((item) => item === document.activeElement);
    if (current > 0) moveByKey(event, { count: items.length, current, onMove: (to) => items[to]?.focus() });
  };
  return (
    <ScrollArea ref={area} label={t`Search results`} className="min-h-0 flex-1">
      <p role="status" className="pb-3 text-sm text-muted md:px-4">
        {error === null && statusOf(search)}
      </p>
      <QuietLine sentence={unreadableSentence(unreadable, "message")} className="pb-3 md:px-4" />
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens for the links inside */}
      <div data-search-results onKeyDown={moveFocus} className={isPlaceholderData ? "opacity-60" : ""}>
        {error === null || data !== undefined
          ? sessions.map((session) => (
              <Session key={session.id} session={session} {...{ childId, childName, openMessage }} />
            ))
          : null}
      </div>
      {error !== null && (
        <div className="py-2 md:px-4">
          <ErrorState sentence={errorMessage(error)} onRetry={() => void search.refetch()} />
        </div>
      )}
      {hasMore && !searching && (
        <Button look="plain" onClick={search.searchMore} className="my-3 md:mx-4">
          <Trans>Search further back</Trans>
        </Button>
      )}
    </ScrollArea>
  );
}

/** The text of the search's status. */
function statusOf({ data, searching, isPlaceholderData }: Search): string {
  if (data === undefined || isPlaceholderData) return t`Searching...`;
  const { matches, sessions, searchedBackTo } = data;
  const month = searchedBackTo === undefined ? undefined : new Date(searchedBackTo);
  const back = month && dateFormat({ month: "long", year: "numeric" }).format(month);
  if (matches.length === 0) {
    if (!searching) return nothingFound();
    return back === undefined ? t`Searching...` : soFar(t`Searching...`, back);
  }
  const found = foundSentence({ matches: matches.length, sessions: sessions.length });
  return back === undefined ? found : soFar(found, back);
}

interface Found {
  matches: number;
  sessions: number;
}

function foundSentence({ matches, sessions }: Found): string {
  return t`${plural(matches, { one: "# match", other: "# matches" })} in ${plural(sessions, { one: "# conversation", other: "# conversations" })}`;
}

function soFar(found: string, month: string): string {
  return t`${found}, back to ${month} so far`;
}

interface SessionProps extends Pick<SearchResultsProps, "childId" | "childName" | "openMessage"> {
  session: SessionMatches;
}

function Session({ session, childId, childName, openMessage }: SessionProps) {
  const { id, topic, began, matches } = session;
  return (
    <Section
      heading={
        <>
          <span dir="auto" className="block text-left page-rtl:text-right [overflow-wrap:anywhere]">
            {topic.trim() === "" ? t`Conversation without a topic` : plainText(topic)}
          </span>
          <span className="block font-normal text-muted tabular-nums">{sessionDate(began)}</span>
        </>
      }
      isSmall
      headingClassName="pb-1 text-sm md:px-4"
      className="pb-4"
    >
      <ul>
        {matches.map((match) => (
          <li key={match.message_id}>
            <Link
              to={paths.transcripts(childId, id)}
              state={
                { openedFromList: true, keepFocus: true, message: match.message_id } satisfies HistoryState
              }
              aria-current={match.message_id === openMessage ? "true" : undefined}
              className="flex min-h-11 flex-col justify-center py-2 -outline-offset-2 hover:bg-quiet max-md:border-b max-md:border-line md:mb-1 md:rounded-control md:px-4 aria-[current]:md:bg-quiet"
            >
              <Excerpt match={match} childName={childName} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Excerpt({ match, childName }: { match: Match; childName: string }) {
  const { source, text_content: text = "", ranges, kind: unsaid, until } = match;
  const speaker = speakerOf(source);
  return (
    <>
      <span
        dir="auto"
        className={`max-w-full truncate text-left page-rtl:text-right text-xs text-muted ${speakerClass(speaker)} block`}
      >
        {messageName({ speaker, unsaid }, childName)}
        <span className="sr-only">:</span>
        {until !== undefined && ` ${correctedSentence(until, new Date())}`}
        {ranges.length === 0 && (
          <>
            {" "}
            <Trans>(found in the topic)</Trans>
          </>
        )}
      </span>
      <span dir="auto" className="line-clamp-3 text-left page-rtl:text-right [overflow-wrap:anywhere]">
        {text.trim() === "" ? (
          <i className="text-muted">{emptyMessage()}</i>
        ) : (
          <Marked parts={excerptOf(match)} />
        )}
      </span>
    </>
  );
}
