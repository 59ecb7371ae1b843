import { type KeyboardEvent, type RefObject, useEffect } from "react";

interface SearchBoxProps {
  box: RefObject<HTMLInputElement | null>;
  words: string;
  onChange: (words: string) => void;
}

/** As many characters as the server takes. */
const LONGEST = 200;

/** The box above the list of sessions. `/` goes there; from there the arrow down goes to the first match, and Enter opens it. */
export function SearchBox({ box, words, onChange }: SearchBoxProps) {
  useEffect(() => {
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
  }, [box]);

  const onKeyDown = (event: KeyboardEvent) => {
    const first = document.querySelector<HTMLElement>('[aria-label="Search results"] a');
    if (event.key === "Escape" && words !== "") onChange("");
    else if (event.key === "ArrowDown") first?.focus();
    else if (event.key === "Enter") first?.click();
    else return;
    event.preventDefault();
  };
  return (
    <search className="pb-3">
      <input
        ref={box}
        type="search"
        aria-label="Search transcripts"
        aria-keyshortcuts="/"
        placeholder="Search transcripts"
        autoComplete="off"
        maxLength={LONGEST}
        value={words}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className="min-h-11 w-full rounded-control border border-edge bg-surface px-3.5 text-base placeholder:text-muted"
      />
    </search>
  );
}
