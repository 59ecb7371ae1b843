import { ChevronRightIcon } from "lucide-react";

import type { FoldRow } from "./rows";

interface FoldProps {
  row: FoldRow;
  isOpen: boolean;
  onToggle: () => void;
}

/** The heading of messages that were not said in the conversation. They are the rows after it while it is open. */
export function Fold({ row, isOpen, onToggle }: FoldProps) {
  const isEarlier = row.unsaid === "earlier";
  return (
    <div className="pt-2 md:px-6">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className={`flex min-h-11 max-w-full items-center gap-1.5 rounded-control py-2 text-left text-sm hover:bg-quiet md:-mx-2 md:px-2 ${isEarlier ? "font-bold" : "text-muted"}`}
      >
        <ChevronRightIcon className={`size-4 shrink-0 ${isOpen ? "rotate-90" : ""}`} />
        {foldHeading(row)}
      </button>
      {isEarlier && isOpen && <p className="max-w-[65ch] text-sm text-muted">{EARLIER}</p>}
    </div>
  );
}

const EARLIER = "The app sent these later, for example because Porchlight was off.";

export function foldHeading({ unsaid, messages: { length: count } }: FoldRow): string {
  const messages = `${count} ${count === 1 ? "message" : "messages"}`;
  const several = count === 1 ? "" : ` (${count})`;
  switch (unsaid) {
    case "background":
      return `${messages} in a request that looks like the app's own`;
    case "earlier":
      return `${messages} said earlier`;
    case "instructions":
      return `Instructions sent with the request${several}. Anyone who can change the app's settings can write these.`;
    case "reasoning":
      return `The AI's working notes${several}`;
    case "tool":
      return `What a tool answered${several}`;
  }
}
