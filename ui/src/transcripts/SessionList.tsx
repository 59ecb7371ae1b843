import { useRef } from "react";
import { Link } from "react-router";
import { Virtualizer, type VirtualizerHandle } from "virtua";

import type { ListedSession } from "./sessions";
import { paths } from "../paths";
import { ScrollArea } from "../ui/ScrollArea";

interface SessionListProps {
  childId: number;
  sessions: readonly ListedSession[];
  selectedId: number | undefined;
  loadMore: () => void;
  /** What stands below the last session. */
  children: React.ReactNode;
}

const LOAD_AHEAD_PX = 600;

/** The child's sessions, newest first, each a link that opens its conversation. */
export function SessionList({ childId, sessions, selectedId, loadMore, children }: SessionListProps) {
  const area = useRef<HTMLElement>(null);
  const virtualizer = useRef<VirtualizerHandle>(null);
  const look = () => {
    const handle = virtualizer.current;
    if (handle !== null && handle.scrollSize - handle.scrollOffset - handle.viewportSize < LOAD_AHEAD_PX)
      loadMore();
  };
  return (
    <ScrollArea ref={area} label="Sessions" className="min-h-0 flex-1">
      <Virtualizer
        ref={virtualizer}
        scrollRef={area}
        as="ul"
        item="li"
        data={sessions}
        onScroll={look}
        onResize={look}
      >
        {(session) => (
          <Link
            key={session.id}
            data-session={session.id}
            to={paths.transcripts(childId, session.id)}
            state={{ fromList: true, keepFocus: true }}
            aria-current={session.id === selectedId ? "true" : undefined}
            className="relative flex min-h-14 flex-col justify-center gap-0.5 py-2.5 -outline-offset-2 max-md:border-b max-md:border-line md:mb-1 md:rounded-control md:px-4 before:absolute before:inset-y-3 before:left-0 before:w-1 before:rounded-full hover:bg-quiet aria-[current]:md:bg-lamp-glow aria-[current]:md:before:bg-lamp"
          >
            <span dir="auto" className="line-clamp-2 font-bold [overflow-wrap:anywhere]">
              {session.topic}
            </span>
            <span className="text-sm text-muted tabular-nums">{session.date}</span>
          </Link>
        )}
      </Virtualizer>
      {children}
    </ScrollArea>
  );
}
