import { plural, t } from "@lingui/core/macro";
import { ChevronDownIcon } from "lucide-react";
import { Fragment, type KeyboardEvent, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Link } from "react-router";
import { Virtualizer, type VirtualizerHandle } from "virtua";

import { type ListRow, foldedRows, withDays } from "./folds";
import type { ListedSession } from "./queries";
import { SessionDetails } from "./SessionDetails";
import { weekdayAndTime } from "../format/dates";
import { paths } from "../paths";
import type { HistoryState } from "../ui/history-state";
import { useToday } from "../ui/now";
import { ScrollArea } from "../ui/ScrollArea";
import { VirtualItem, VirtualListSize } from "../ui/VirtualItem";
import { moveByKey } from "../ui/arrow-keys";

interface SessionListProps {
  childId: number;
  childName: string;
  sessions: readonly ListedSession[];
  selectedId: number | undefined;
  /** Whether the selected session was chosen; else it is the first one. */
  isChosen: boolean;
  /** Whether there are further sessions. */
  hasMore: boolean;
  loadMore: () => void;
  /** Shown below the last session. */
  children: React.ReactNode;
}

const LOAD_AHEAD_PX = 600;

/**
 * The child's sessions, newest first, each a link that opens its conversation. The list is one tab stop, the selected
 * session, and the arrow keys move between rows, so that the conversation is few tab stops away.
 */
export function SessionList({
  childId,
  childName,
  sessions,
  selectedId,
  isChosen,
  hasMore,
  loadMore,
  children,
}: SessionListProps) {
  const area = useRef<HTMLElement>(null);
  const virtualizer = useRef<VirtualizerHandle>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const chosenId = isChosen ? selectedId : undefined;
  const rows = useMemo(() => withDays(foldedRows(sessions, opened, chosenId)), [sessions, opened, chosenId]);
  const tabStop = Math.max(
    0,
    rows.findIndex(({ id }) => id === String(selectedId)),
  );
  const measure = () => {
    const handle = virtualizer.current;
    if (handle !== null && handle.scrollSize - handle.scrollOffset - handle.viewportSize < LOAD_AHEAD_PX)
      loadMore();
  };
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const focused = rows.findIndex(({ id }) => id === focusedId);
  const moveFocus = (event: KeyboardEvent) => {
    if (focused === -1) return;
    moveByKey(event, {
      count: rows.length,
      current: focused,
      onMove: (to) => {
        const id = rows[to]?.id ?? null;
        // The row must be in the document before it can be focused.
        flushSync(() => setFocusedId(id));
        area.current?.querySelector<HTMLElement>(`[data-session="${id}"]`)?.focus();
      },
    });
  };
  const toggle = ({ id, isOpen }: { id: string; isOpen: boolean }) =>
    setOpened((ids) => new Set(isOpen ? [...ids].filter((other) => other !== id) : [...ids, id]));
  return (
    <ScrollArea ref={area} label={t`Conversations`} className="min-h-0 flex-1">
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens for the links inside */}
      <div onKeyDown={moveFocus}>
        <VirtualListSize size={hasMore ? null : rows.length}>
          <Virtualizer
            ref={virtualizer}
            scrollRef={area}
            as="ul"
            item={VirtualItem}
            data={rows}
            // Keeps the focused row mounted while it is scrolled out of view.
            keepMounted={focused === -1 ? [tabStop] : [tabStop, focused].sort((a, b) => a - b)}
            onScroll={measure}
            onResize={measure}
          >
            {(row, index) => {
              const shared = {
                "data-session": row.id,
                onFocus: () => setFocusedId(row.id),
                tabIndex: index === tabStop ? 0 : -1,
              };
              const item =
                row.kind === "fold" ? (
                  <Fold row={row} onToggle={() => toggle(row)} {...shared} />
                ) : (
                  <Link
                    {...shared}
                    to={paths.transcripts(childId, row.session.id)}
                    state={{ openedFromList: true, keepFocus: true } satisfies HistoryState}
                    aria-current={row.session.id === selectedId ? "true" : undefined}
                    className={`${rowClass} relative flex-col justify-center gap-0.5 before:absolute before:inset-y-3 before:start-0 before:w-1 before:rounded-full aria-[current]:md:bg-lamp-glow aria-[current]:md:before:bg-lamp forced-colors:aria-[current]:md:border-2 forced-colors:aria-[current]:md:before:bg-[Highlight]`}
                  >
                    <span
                      dir="auto"
                      className="line-clamp-1 text-left page-rtl:text-right font-bold [overflow-wrap:anywhere]"
                    >
                      {row.session.topic}
                    </span>
                    {row.session.firstWords !== "" && (
                      <span
                        dir="auto"
                        className="line-clamp-1 text-left page-rtl:text-right text-sm [overflow-wrap:anywhere]"
                      >
                        {row.session.firstWords}
                      </span>
                    )}
                    <SessionDetails
                      session={row.session}
                      childName={childName}
                      isUnderDate
                      className="line-clamp-1 break-all md:max-lg:line-clamp-2 md:max-lg:break-normal"
                    />
                  </Link>
                );
              return (
                <Fragment key={row.id}>
                  {row.startsDay !== undefined && (
                    <p
                      aria-hidden="true"
                      className={`pb-1 text-xs font-bold text-muted tabular-nums md:px-4 ${index === 0 ? "pt-1" : "pt-4"}`}
                    >
                      {row.startsDay}
                    </p>
                  )}
                  {item}
                </Fragment>
              );
            }}
          </Virtualizer>
        </VirtualListSize>
      </div>
      {children}
    </ScrollArea>
  );
}

const rowClass =
  "flex min-h-14 py-2.5 -outline-offset-2 hover:bg-quiet max-md:border-b max-md:border-line md:mb-1 md:rounded-control md:px-4";

interface FoldProps {
  row: Extract<ListRow, { kind: "fold" }>;
  onToggle: () => void;
  "data-session": string;
  tabIndex: number;
  onFocus: () => void;
}

/** A run of short requests, which opens on a tap. */
function Fold({ row: { sessions, isOpen }, onToggle, ...shared }: FoldProps) {
  const now = useToday();
  const [newest] = sessions;
  const { length: count } = sessions;
  return (
    <button
      type="button"
      {...shared}
      aria-expanded={isOpen}
      onClick={onToggle}
      className={`${rowClass} w-full items-center gap-2 text-start`}
    >
      <span className="min-w-0 flex-1">
        <span className="block font-bold">
          {plural(count, { one: "# short request", other: "# short requests" })}
        </span>
        <span className="block text-sm text-muted">
          {newest !== undefined && weekdayAndTime(newest.began, now)}
          <span className="sr-only"> {newest?.date}</span>
        </span>
      </span>
      <ChevronDownIcon className={`size-5 shrink-0 text-muted ${isOpen ? "rotate-180" : ""}`} />
    </button>
  );
}
