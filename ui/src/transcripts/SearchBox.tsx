import { t } from "@lingui/core/macro";
import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";

import type { Search } from "./use-search";
import { useSearchKey } from "../ui/search-key";

interface SearchBoxProps {
  box: RefObject<HTMLInputElement | null>;
  words: string;
  search: Search;
  onChange: (words: string) => void;
}

/** The server's limit, in characters. */
const LONGEST = 200;

/** The pending action on the first match, until the results have loaded. */
type Wanted = "focus" | "click";

/** The search field above the list of sessions. `/` focuses it, Down focuses the first match, and Enter opens that match. */
export function SearchBox({ box, words, search, onChange }: SearchBoxProps) {
  const searchKey = useSearchKey();
  useEffect(() => {
    if (!searchKey) return undefined;
    const open = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest("input, textarea, select, dialog") !== null)
        return;
      event.preventDefault();
      box.current?.focus();
      box.current?.select();
    };
    document.addEventListener("keydown", open);
    return () => document.removeEventListener("keydown", open);
  }, [box, searchKey]);

  const wanted = useRef<Wanted | null>(null);
  const { isCurrent, searching } = search;
  // Until the results for the current text have loaded, the first match belongs to the previous text.
  const goToFirst = () => {
    if (wanted.current === null || !isCurrent) return;
    const first = document.querySelector<HTMLElement>("[data-search-results] a");
    if (first === null && searching) return;
    first?.[wanted.current]();
    wanted.current = null;
  };
  useEffect(goToFirst);

  const onKeyDown = (event: KeyboardEvent) => {
    // Who writes with an input method chooses a word with these keys.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape" && words !== "") onChange("");
    else if (event.key === "ArrowDown") wanted.current = "focus";
    else if (event.key === "Enter") wanted.current = "click";
    else return;
    event.preventDefault();
    goToFirst();
  };
  return (
    <search className="pb-3">
      <input
        ref={box}
        type="search"
        aria-label={t`Search transcripts`}
        aria-keyshortcuts={searchKey ? "/" : undefined}
        placeholder={t`Search transcripts`}
        autoComplete="off"
        maxLength={LONGEST}
        value={words}
        onChange={(event) => {
          wanted.current = null;
          onChange(event.target.value);
        }}
        onKeyDown={onKeyDown}
        className="min-h-11 w-full rounded-control border border-edge bg-surface px-3.5 text-base placeholder:text-muted"
      />
    </search>
  );
}
