import { t } from "@lingui/core/macro";
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from "react";

import { gravestFirst, ringingWords, urgentChildren, useAttention } from "./attention";
import type { Child } from "./children";
import { markOf, readSeen, storeSeen, withSeen } from "./unseen";
import { useListChildTalk } from "../api/generated/client/talk/talk";
import { useIdentity } from "../identity/identity";
import { useCloseOutside } from "../ui/focus";
import { labelled } from "../format/labelled";
import { nothingFound } from "../format/nothing-found";

interface ChildFinderProps {
  items: readonly Child[];
  shown: Child | null;
  icon: ReactNode;
  mark: (childId: number) => string | null;
  onOpen: () => void;
  onChoose: (childId: number) => void;
}

/** The selector of many children: a list with a filter. */
export function ChildFinder({ items, shown, icon, mark, onOpen, onChoose }: ChildFinderProps) {
  const [open, setOpen] = useState(false);
  const [words, setWords] = useState("");
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useCloseOutside(root, open, setOpen);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const closeOnEscape = ({ key }: KeyboardEvent) => {
    if (open && key === "Escape") close();
  };
  const attention = useAttention().data?.data.items;
  const urgent = urgentChildren(attention);
  const found = gravestFirst(items, attention).filter(({ name }) =>
    folded(name).includes(folded(words.trim())),
  );
  return (
    <div ref={root} className="relative -ms-3 min-w-0" onKeyDown={closeOnEscape} role="presentation">
      <button
        ref={button}
        type="button"
        aria-label={shown === null ? t`Child: none chosen` : labelled(t`Child`, shown.name)}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => {
          if (!open) onOpen();
          setWords("");
          setOpen(!open);
        }}
        className="flex min-h-11 max-w-full items-center gap-2 rounded-control border border-transparent py-1 pe-2.5 ps-3 text-lg font-bold hover:bg-quiet"
      >
        <bdi className="truncate">{shown?.name ?? t`Choose a child`}</bdi>
        {icon}
      </button>
      {open && (
        <div
          role="dialog"
          aria-label={t`Choose a child`}
          data-popup
          className="appear absolute top-full start-0 z-30 mt-1.5 flex max-h-[calc(100dvh-8.5rem)] w-[min(22rem,calc(100vw-2rem))] flex-col rounded-surface border border-line bg-surface p-1.5 shadow-float"
        >
          <input
            type="search"
            aria-label={t`Find a child`}
            placeholder={t`Find a child`}
            value={words}
            autoComplete="off"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the parent has just opened the list
            autoFocus
            onChange={(event) => setWords(event.target.value)}
            onKeyDown={(event) => {
              const [only] = found;
              if (event.key !== "Enter" || only === undefined || words.trim() === "") return;
              // The key would also press the button, which has the focus then.
              event.preventDefault();
              close();
              onChoose(only.child_id);
            }}
            className="mb-1.5 min-h-11 w-full shrink-0 rounded-control border border-edge bg-page px-3.5"
          />
          <p role="status" className="px-3 text-sm text-muted empty:hidden">
            {found.length === 0 && nothingFound()}
          </p>
          <ul className="min-h-0 overflow-y-auto">
            {found.map((child) => {
              const childMark = mark(child.child_id);
              return (
                <li key={child.child_id}>
                  <button
                    type="button"
                    aria-current={child.child_id === shown?.child_id}
                    onClick={() => {
                      close();
                      onChoose(child.child_id);
                    }}
                    className="flex min-h-11 w-full items-center gap-3 rounded-control px-3 py-2 text-start -outline-offset-2 [overflow-wrap:anywhere] hover:bg-quiet aria-[current=true]:bg-lamp-glow aria-[current=true]:font-bold"
                  >
                    <bdi className="min-w-0 flex-1">{child.name}</bdi>
                    {childMark !== null && (
                      <span
                        className={`shrink-0 text-sm ${urgent.has(child.child_id) ? "font-bold text-danger" : "text-muted"}`}
                      >
                        {childMark}
                      </span>
                    )}
                  </button>
                </li>
              );
            })}
          </ul>
        </div>
      )}
    </div>
  );
}

/** Without case and accents. */
function folded(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** The marks in the selector, by child. */
export type Marks = ReadonlyMap<number, string>;

/** The delay of the request, so that it doesn't slow the page down. */
const IDLE_MS = 2000;

function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), IDLE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isIdle;
}

/** Marks older than this are refetched when the selector is opened. */
const STALE_MS = 10_000;

interface ChildMarksProps {
  items: readonly Child[];
  /** The child on screen, which has no mark. */
  shownId: number | null;
  /** How often the selector was opened. */
  opened: number;
  onMarks: (marks: Marks) => void;
}

/** Renders nothing. Fetches about which children something rings, and which talk with an assistant or have new conversations. */
export function ChildMarks({ items, shownId, opened, onMarks }: ChildMarksProps) {
  const { identity } = useIdentity();
  const guardianId = identity.kind === "signed-in" ? identity.guardian.id : "";
  const isIdle = useIdle();
  const query = { enabled: isIdle || opened > 0 };
  const { data, dataUpdatedAt, refetch } = useListChildTalk({ query });
  const talk = data?.data.items;
  const attention = useAttention().data?.data.items;
  const seen = useMemo(
    () => withSeen(readSeen(guardianId), talk ?? [], shownId),
    [guardianId, talk, shownId],
  );
  useEffect(() => {
    if (talk !== undefined) storeSeen(guardianId, seen);
  }, [guardianId, talk, seen]);
  useEffect(() => {
    if (opened > 0 && dataUpdatedAt > 0 && Date.now() - dataUpdatedAt > STALE_MS) void refetch();
    // oxlint-disable-next-line react/exhaustive-deps -- only when it is opened
  }, [opened]);
  useEffect(() => {
    const marks = items.map(({ child_id: id }): [number, string | null] => {
      if (id === shownId) return [id, null];
      const own = attention?.find(({ child_id: of }) => of === id);
      const ringing = own === undefined ? null : ringingWords(own);
      return [
        id,
        markOf(
          talk?.find(({ child_id: of }) => of === id),
          seen,
          ringing,
        ),
      ];
    });
    onMarks(new Map(marks.flatMap(([id, mark]) => (mark === null ? [] : [[id, mark]]))));
  }, [items, shownId, talk, attention, seen, onMarks]);
  return null;
}
