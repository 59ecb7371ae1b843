import { type KeyboardEvent, useRef } from "react";
import { Link } from "react-router";
import { Virtualizer, type VirtualizerHandle } from "virtua";

import type { ListedSession } from "./queries";
import { SessionDetails } from "./SessionDetails";
import { paths } from "../paths";
import type { HistoryState } from "../ui/history-state";
import { ScrollArea } from "../ui/ScrollArea";

interface SessionListProps {
  childId: number;
  sessions: readonly ListedSession[];
  selectedId: number | undefined;
  loadMore: () => void;
  /** Shown below the last session. */
  children: React.ReactNode;
}

const LOAD_AHEAD_PX = 600;

/**
 * The child's sessions, newest first, each a link that opens its conversation. The list is one tab stop, the selected
 * session; the arrow keys move between sessions. So the conversation is near for keyboard users.
 */
export function SessionList({ childId, sessions, selectedId, loadMore, children }: SessionListProps) {
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
  const moveFocus = (event: KeyboardEvent) => {
    const links = [...(area.current?.querySelectorAll("a") ?? [])];
    const focused = links.findIndex((link) => link === document.activeElement);
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (focused === -1 || step === undefined) return;
    event.preventDefault();
    links[focused + step]?.focus();
  };
  return (
    <ScrollArea ref={area} label="Sessions" className="min-h-0 flex-1">
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens for the links inside */}
      <div onKeyDown={moveFocus}>
        <Virtualizer
          ref={virtualizer}
          scrollRef={area}
          as="ul"
          item="li"
          data={sessions}
          keepMounted={[tabStop]}
          onScroll={measure}
          onResize={measure}
        >
          {(session, index) => (
            <Link
              key={session.id}
              data-session={session.id}
              to={paths.transcripts(childId, session.id)}
              state={{ openedFromList: true, keepFocus: true } satisfies HistoryState}
              tabIndex={index === tabStop ? 0 : -1}
              aria-current={session.id === selectedId ? "true" : undefined}
              className="relative flex min-h-14 flex-col justify-center gap-0.5 py-2.5 -outline-offset-2 before:absolute before:inset-y-3 before:left-0 before:w-1 before:rounded-full hover:bg-quiet max-md:border-b max-md:border-line md:mb-1 md:rounded-control md:px-4 aria-[current]:md:bg-lamp-glow aria-[current]:md:before:bg-lamp forced-colors:aria-[current]:md:border-2 forced-colors:aria-[current]:md:before:bg-[Highlight]"
            >
              <span dir="auto" className="line-clamp-2 text-left font-bold [overflow-wrap:anywhere]">
                {session.topic}
              </span>
              <SessionDetails session={session} />
            </Link>
          )}
        </Virtualizer>
      </div>
      {children}
    </ScrollArea>
  );
}
