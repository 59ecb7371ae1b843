import { type KeyboardEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Link } from "react-router";
import { Virtualizer, type VirtualizerHandle } from "virtua";

import type { ListedSession } from "./queries";
import { SessionDetails } from "./SessionDetails";
import { paths } from "../paths";
import type { HistoryState } from "../ui/history-state";
import { ScrollArea } from "../ui/ScrollArea";
import { VirtualItem, VirtualListSize } from "../ui/VirtualItem";

interface SessionListProps {
  childId: number;
  sessions: readonly ListedSession[];
  selectedId: number | undefined;
  /** Whether there are further sessions. */
  hasMore: boolean;
  loadMore: () => void;
  /** Shown below the last session. */
  children: React.ReactNode;
}

const LOAD_AHEAD_PX = 600;

/**
 * The child's sessions, newest first, each a link that opens its conversation. The list is one tab stop, the selected
 * session, and the arrow keys move between sessions, so that the conversation is few tab stops away.
 */
export function SessionList({
  childId,
  sessions,
  selectedId,
  hasMore,
  loadMore,
  children,
}: SessionListProps) {
  const area = useRef<HTMLElement>(null);
  const virtualizer = useRef<VirtualizerHandle>(null);
  const tabStop = Math.max(
    0,
    sessions.findIndex(({ id }) => id === selectedId),
  );
  const measure = () => {
    const handle = virtualizer.current;
    if (handle !== null && handle.scrollSize - handle.scrollOffset - handle.viewportSize < LOAD_AHEAD_PX)
      loadMore();
  };
  const [focusedId, setFocusedId] = useState<number | null>(null);
  const focused = sessions.findIndex(({ id }) => id === focusedId);
  const moveFocus = (event: KeyboardEvent) => {
    const to = sessions[target(event.key, focused, sessions.length)];
    if (focused === -1 || to === undefined) return;
    event.preventDefault();
    // The row must be in the document before it can be focused.
    flushSync(() => setFocusedId(to.id));
    area.current?.querySelector<HTMLElement>(`[data-session="${to.id}"]`)?.focus();
  };
  return (
    <ScrollArea ref={area} label="Sessions" className="min-h-0 flex-1">
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens for the links inside */}
      <div onKeyDown={moveFocus}>
        <VirtualListSize size={hasMore ? null : sessions.length}>
          <Virtualizer
            ref={virtualizer}
            scrollRef={area}
            as="ul"
            item={VirtualItem}
            data={sessions}
            // Keeps the focused row mounted while it is scrolled out of view.
            keepMounted={focused === -1 ? [tabStop] : [tabStop, focused].sort((a, b) => a - b)}
            onScroll={measure}
            onResize={measure}
          >
            {(session, index) => (
              <Link
                key={session.id}
                data-session={session.id}
                onFocus={() => setFocusedId(session.id)}
                to={paths.transcripts(childId, session.id)}
                state={{ openedFromList: true, keepFocus: true } satisfies HistoryState}
                tabIndex={index === tabStop ? 0 : -1}
                aria-current={session.id === selectedId ? "true" : undefined}
                className="relative flex min-h-14 flex-col justify-center gap-0.5 py-2.5 -outline-offset-2 before:absolute before:inset-y-3 before:left-0 before:w-1 before:rounded-full hover:bg-quiet max-md:border-b max-md:border-line md:mb-1 md:rounded-control md:px-4 aria-[current]:md:bg-lamp-glow aria-[current]:md:before:bg-lamp forced-colors:aria-[current]:md:border-2 forced-colors:aria-[current]:md:before:bg-[Highlight]"
              >
                <span dir="auto" className="line-clamp-2 text-left font-bold [overflow-wrap:anywhere]">
                  {session.topic}
                </span>
                {session.firstWords !== "" && (
                  <span dir="auto" className="line-clamp-2 text-left text-sm [overflow-wrap:anywhere]">
                    {session.firstWords}
                  </span>
                )}
                <SessionDetails session={session} />
              </Link>
            )}
          </Virtualizer>
        </VirtualListSize>
      </div>
      {children}
    </ScrollArea>
  );
}

/** The index that a key moves to; -1 for other keys. */
function target(key: string, from: number, count: number): number {
  switch (key) {
    case "ArrowUp":
      return from - 1;
    case "ArrowDown":
      return from + 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return -1;
  }
}
