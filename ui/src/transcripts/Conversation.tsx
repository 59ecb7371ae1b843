import { ArrowDownIcon } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";

import { Bubble } from "./Bubble";
import { type LoadedConversation, transcriptSentence } from "./live-conversation";
import type { Row } from "./rows";
import { unreadableSentence } from "../format/unreadable";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { ErrorState } from "../ui/ErrorState";
import { Loading } from "../ui/Loading";
import { QuietLine } from "../ui/QuietLine";
import { ScrollArea } from "../ui/ScrollArea";
import { Skeleton } from "../ui/Skeleton";

/** The messages of one session, with everything that can be the case while they load. */
export function Conversation({ conversation }: { conversation: LoadedConversation }) {
  const { data, error, isFetching, refetch, fetchNextPage } = conversation;

  if (data === undefined) {
    return error === null ? (
      <div className="p-4 sm:p-6">
        <Loading sentence="Loading transcript...">
          <ConversationSkeleton />
        </Loading>
      </div>
    ) : (
      <div className="p-4 sm:p-6">
        <ErrorState
          sentence={`Error loading transcript: ${transcriptSentence(error)}`}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      </div>
    );
  }
  return (
    <MessageList
      rows={data.rows}
      missing={unreadableSentence(data.unreadable, "message")}
      complete={conversation.complete}
      loadMore={() => {
        if (conversation.hasNextPage && !isFetching && !conversation.isFetchNextPageError)
          void fetchNextPage({ cancelRefetch: false });
      }}
    >
      {conversation.isFetchingNextPage && (
        <p className="px-6 py-4 text-center text-muted">Loading transcript...</p>
      )}
      {conversation.isFetchNextPageError && error !== null && (
        <div className="px-6 py-4">
          <ErrorState
            sentence={`Error loading transcript: ${transcriptSentence(error)}`}
            onRetry={() => void fetchNextPage({ cancelRefetch: false })}
          />
        </div>
      )}
    </MessageList>
  );
}

/** The shape of a conversation that is on its way. */
export function ConversationSkeleton() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-4">
      <Skeleton className="h-11 w-1/2 self-end" />
      <Skeleton className="h-24 w-3/4" />
      <Skeleton className="h-11 w-2/5 self-end" />
      <Skeleton className="h-16 w-4/5" />
    </div>
  );
}

/** More is loaded when less than this is left below, so that the reader rarely meets the end of a page. */
const LOAD_AHEAD_PX = 1200;
/** Whoever is this near the end reads the newest message and is kept there. */
const AT_END_PX = 60;

interface MessageListProps {
  rows: readonly Row[];
  /** What the conversation lacks. */
  missing: string | null;
  complete: boolean;
  loadMore: () => void;
  /** What stands below the last message. */
  children: React.ReactNode;
}

/** Renders only what is in sight. New messages never move what is being read, unless that is the newest one. */
function MessageList({ rows, missing, complete, loadMore, children }: MessageListProps) {
  const area = useRef<HTMLElement>(null);
  const virtualizer = useRef<VirtualizerHandle>(null);
  const atEnd = useRef(false);
  const [unseen, setUnseen] = useState(false);

  const look = () => {
    const handle = virtualizer.current;
    if (handle === null) return;
    const below = handle.scrollSize - handle.scrollOffset - handle.viewportSize;
    atEnd.current = below < AT_END_PX;
    if (atEnd.current) setUnseen(false);
    if (below < LOAD_AHEAD_PX) loadMore();
  };

  const goToEnd = () => virtualizer.current?.scrollToIndex(rows.length - 1, { align: "end" });

  const before = useRef({ count: rows.length, complete });
  useLayoutEffect(() => {
    const { count, complete: wasComplete } = before.current;
    before.current = { count: rows.length, complete };
    if (!wasComplete || rows.length <= count) return;
    // Whoever reads along is led to the first new message, which is the end unless much was said at once.
    if (atEnd.current) virtualizer.current?.scrollToIndex(count, { align: "start" });
    else setUnseen(true);
  }, [rows.length, complete]);

  if (rows.length === 0) {
    return (
      <>
        <EmptyState>
          <p>{missing ?? "This session does not contain any messages."}</p>
        </EmptyState>
        {children}
      </>
    );
  }
  return (
    <>
      <QuietLine sentence={missing} className="border-b border-line py-2 md:px-6" />
      <div className="relative min-h-0 flex-1">
        <ScrollArea ref={area} label="Messages" className="h-full pb-6">
          <Virtualizer
            ref={virtualizer}
            scrollRef={area}
            as="ol"
            item="li"
            data={rows}
            onScroll={look}
            onResize={look}
          >
            {(row) => <Bubble key={row.message.message_id} row={row} />}
          </Virtualizer>
          {children}
        </ScrollArea>
        {unseen && (
          <Button
            onClick={goToEnd}
            className="absolute bottom-4 left-1/2 -translate-x-1/2 rounded-full shadow-float"
          >
            <ArrowDownIcon className="size-5" />
            New messages
          </Button>
        )}
      </div>
    </>
  );
}
