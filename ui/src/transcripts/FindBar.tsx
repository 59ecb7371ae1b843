import { plural, t } from "@lingui/core/macro";
import { ChevronDownIcon, ChevronUpIcon } from "lucide-react";
import { useLocation, useNavigate } from "react-router";

import type { Match } from "./use-search";
import { Button } from "../ui/Button";
import { type HistoryState, historyState } from "../ui/history-state";

interface FindBarProps {
  matches: readonly Match[];
  /** Whether the conversation may have further, earlier matches. */
  mayHaveMore: boolean;
  openMessage: string | null;
}

/** Moves between the matches in the open conversation, in chronological order. */
export function FindBar({ matches, mayHaveMore, openMessage }: FindBarProps) {
  const navigate = useNavigate();
  const location = useLocation();
  const ids = matches.map((match) => match.message_id).reverse();
  const at = openMessage === null ? -1 : ids.indexOf(openMessage);
  const go = (to: number) => {
    const { openedFromList } = historyState(location.state);
    const message = ids.at(to % ids.length) ?? null;
    const state = { openedFromList, keepFocus: true, message } satisfies HistoryState;
    void navigate(`${location.pathname}${location.search}`, { replace: true, state });
  };
  return (
    <div className="sticky top-0 z-10 flex items-center gap-2 border-b border-line bg-page text-sm text-muted md:bg-surface md:px-6">
      <p role="status" className="min-w-0 flex-1">
        {foundWords(at, ids.length, mayHaveMore)}
      </p>
      <Button
        look="quiet"
        aria-label={t`Previous match`}
        className="min-w-11 px-2"
        onClick={() => go(Math.max(at, 0) - 1)}
      >
        <ChevronUpIcon className="size-5" />
      </Button>
      <Button look="quiet" aria-label={t`Next match`} className="min-w-11 px-2" onClick={() => go(at + 1)}>
        <ChevronDownIcon className="size-5" />
      </Button>
    </div>
  );
}

function foundWords(at: number, count: number, mayHaveMore: boolean): string {
  const found =
    at === -1
      ? plural(count, { one: "# in this conversation", other: "# in this conversation" })
      : t`${{ done: at + 1 }} of ${{ all: count }}`;
  return mayHaveMore ? t`${found} so far` : found;
}
