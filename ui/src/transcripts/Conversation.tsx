import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ArrowDownIcon } from "lucide-react";
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";

import { Bubble } from "./Bubble";
import { Fold } from "./Fold";
import { Note } from "./Note";
import { errorTexts } from "./queries";
import { announcement, isBubble, isOpen } from "./rows";
import { useOpenFolds } from "./use-open-folds";
import { useOpenMessage } from "./use-open-message";
import { type LoadedConversation, useLoadAll } from "./use-conversation";
import { errorMessage } from "../api/problem";
import { QueryView } from "../api/QueryView";
import { partsOf } from "../format/marks";
import { unreadableSentence } from "../format/unreadable";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { ErrorState } from "../ui/ErrorState";
import type { Part } from "../ui/Marked";
import { QuietLine } from "../ui/QuietLine";
import { Skeleton } from "../ui/Skeleton";
import { VirtualItem, VirtualListSize } from "../ui/VirtualItem";

interface ConversationProps {
  childName: string;
  conversation: LoadedConversation;
  /** Scrolls the messages, and what is above them. */
  area: RefObject<HTMLElement | null>;
  /** The message to scroll to. */
  openMessage?: string | null;
  /** What is marked in that message, if no search found it. */
  openRanges?: readonly (readonly number[])[];
  /** Whether it opens at its end. */
  openAtEnd?: boolean;
  /** The text of each search match by message id, with the marked words. */
  marks?: ReadonlyMap<string, readonly Part[]>;
}

/** The messages of one session. */
export function Conversation(props: ConversationProps) {
  const { conversation } = props;
  const hasMessages = conversation.data !== undefined && conversation.data.rows.length > 0;
  return (
    <div className={`sm:p-6 ${hasMessages ? "p-0" : "p-4"}`}>
      <QueryView
        query={conversation}
        loading={{ sentence: t`Loading transcript...`, skeleton: conversationSkeleton }}
        errorText={errorTexts.transcript}
        empty={withoutMessages}
      >
        {() => <MessageList {...props} />}
      </QueryView>
    </div>
  );
}

function withoutMessages({ rows, unreadable }: NonNullable<LoadedConversation["data"]>) {
  if (rows.length > 0) return null;
  return (
    <EmptyState>
      {unreadableSentence(unreadable, "message") ?? t`This session does not contain any messages.`}
    </EmptyState>
  );
}

export const conversationSkeleton = (
  <Skeleton shapes={["h-11 w-1/2 self-end", "h-24 w-3/4", "h-11 w-2/5 self-end", "h-16 w-4/5"]} />
);

/** The height of a typical message. The default, 40 px, renders twice as many messages at first as fit. */
const TYPICAL_PX = 96;
/** The next page is loaded when less than this remains below, so that the reader rarely waits. */
const LOAD_AHEAD_PX = 1200;
/** A reader this close to the end stays at the end when messages arrive. */
const AT_END_PX = 60;
/** With more than this many screens below, there is a button that scrolls to the end. */
const FAR_SCREENS = 2;

const noRanges: readonly (readonly number[])[] = [];

/** A virtual list. New messages scroll it only for a reader at its end. */
function MessageList({
  childName,
  conversation,
  area,
  openMessage = null,
  openRanges = noRanges,
  openAtEnd = false,
  marks,
}: ConversationProps) {
  const { data, error, complete, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } =
    conversation;
  const { rows = [], unreadable = 0 } = data ?? {};
  const list = useRef<HTMLDivElement>(null);
  const above = useHeightAbove(list);
  const virtualizer = useRef<VirtualizerHandle>(null);
  const atEnd = useRef(false);
  const [unseen, setUnseen] = useState(false);
  const [far, setFar] = useState(false);
  const { shown, opened, toggle } = useOpenFolds(rows, openMessage);
  const { loadingAll, loadAll } = useLoadAll(conversation);

  const measure = () => {
    const handle = virtualizer.current;
    if (handle === null) return;
    const below = above + handle.scrollSize - handle.scrollOffset - handle.viewportSize;
    atEnd.current = below < AT_END_PX;
    if (atEnd.current) setUnseen(false);
    setFar(below > FAR_SCREENS * handle.viewportSize);
    if (below < LOAD_AHEAD_PX && hasNextPage && !isFetching && !isFetchNextPageError)
      void fetchNextPage({ cancelRefetch: false });
  };

  const loadEarlier = () => {
    const handle = virtualizer.current;
    if (handle === null || handle.scrollOffset > LOAD_AHEAD_PX) return;
    if (conversation.hasPreviousPage && !isFetching && !conversation.isFetchPreviousPageError)
      void conversation.fetchPreviousPage({ cancelRefetch: false });
  };

  const [added, setAdded] = useState("");
  const before = useRef({ count: rows.length, complete });
  const last = useRef(shown.length - 1);
  useLayoutEffect(() => {
    const { count, complete: wasComplete } = before.current;
    before.current = { count: rows.length, complete };
    last.current = shown.length - 1;
    if (!wasComplete || rows.length <= count) return;
    setAdded(announcement(rows.slice(count), childName));
    // To the first new message, which is near the end unless there are many.
    const first = shown.findIndex(({ id }) => id === rows[count]?.id);
    if (atEnd.current) virtualizer.current?.scrollToIndex(first, { align: "start" });
    else setUnseen(true);
  }, [rows, shown, childName, complete]);

  const isPrepended = useOpenMessage(virtualizer, shown, openMessage);

  const jumpToEnd = () =>
    void loadAll((loaded) => {
      if (loaded) virtualizer.current?.scrollToIndex(last.current, { align: "end" });
      else area.current?.querySelector("[role=alert]")?.scrollIntoView();
    });

  const jumpOnOpening = useEffectEvent(() => {
    if (openAtEnd) jumpToEnd();
  });
  useEffect(() => jumpOnOpening(), []);

  return (
    <>
      <QuietLine
        sentence={unreadableSentence(unreadable, "message")}
        className="border-b border-line py-2 md:px-6"
      />
      <p aria-live="polite" className="sr-only">
        {added}
      </p>
      <div ref={list}>
        <VirtualListSize
          size={hasNextPage || conversation.hasPreviousPage ? null : shown.length}
          fromStart={!conversation.hasPreviousPage}
        >
          <Virtualizer
            ref={virtualizer}
            scrollRef={area}
            itemSize={TYPICAL_PX}
            startMargin={above}
            as="ol"
            item={VirtualItem}
            data={shown}
            shift={isPrepended}
            onScroll={() => {
              measure();
              loadEarlier();
            }}
            onResize={measure}
          >
            {(row) => {
              if (row.kind === "fold")
                return (
                  <Fold key={row.id} row={row} isOpen={isOpen(row, opened)} onToggle={() => toggle(row)} />
                );
              const atTarget = row.id === openMessage ? partsOf(row.exact, openRanges) : undefined;
              const shared = { row, childName, parts: marks?.get(row.id) ?? atTarget };
              return isBubble(row) ? (
                <Bubble key={row.id} {...shared} isTarget={row.id === openMessage} />
              ) : (
                <Note key={row.id} {...shared} />
              );
            }}
          </Virtualizer>
        </VirtualListSize>
      </div>
      {conversation.isFetchingNextPage && (
        <p className="px-6 py-4 text-center text-muted">
          <Trans>Loading transcript...</Trans>
        </p>
      )}
      {isFetchNextPageError && (
        <div className="px-6 py-4">
          <ErrorState
            sentence={errorMessage(error, errorTexts.transcript)}
            onRetry={() => void fetchNextPage({ cancelRefetch: false })}
          />
        </div>
      )}
      {(unseen || far || loadingAll) && (
        <div className="sticky bottom-4 flex h-0 items-end justify-end px-4 sm:px-0">
          <Button
            look="plain"
            aria-label={unseen ? undefined : t`Jump to the end`}
            busy={loadingAll}
            onClick={jumpToEnd}
            className="min-w-11 shrink-0 rounded-full bg-surface px-3 shadow-float"
          >
            <ArrowDownIcon className="size-5" />
            {unseen && t`New messages`}
          </Button>
        </div>
      )}
    </>
  );
}

/** The height of what is above a list in its scroll area, in px. The area has one child, which holds all of its content. */
function useHeightAbove(list: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const content = list.current?.closest("section > *");
    if (!content) return undefined;
    const observer = new ResizeObserver(() => {
      if (list.current === null) return;
      setHeight(Math.round(list.current.getBoundingClientRect().top - content.getBoundingClientRect().top));
    });
    observer.observe(content);
    return () => observer.disconnect();
  }, [list]);
  return height;
}
