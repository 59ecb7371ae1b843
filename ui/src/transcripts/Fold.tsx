import { plural, t } from "@lingui/core/macro";
import { ChevronRightIcon } from "lucide-react";

import type { FoldRow } from "./rows";
import { type MessageKind, messageName } from "../format/speaker";

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
        className={`flex min-h-11 max-w-full items-center gap-1.5 rounded-control py-2 text-start text-sm hover:bg-quiet md:-mx-2 md:px-2 ${isEarlier ? "font-bold" : "text-muted"}`}
      >
        <ChevronRightIcon className={`size-4 shrink-0 ${isOpen ? "rotate-90" : ""}`} />
        {foldHeading(row)}
      </button>
    </div>
  );
}

export function foldHeading({ unsaid, messages: { length: count } }: FoldRow): string {
  switch (unsaid) {
    case "background":
      return plural(count, {
        one: "# message in a request that looks like the app's own",
        other: "# messages in a request that looks like the app's own",
      });
    case "earlier":
      return plural(count, { one: "# message said earlier", other: "# messages said earlier" });
    case "instructions":
      return `${counted(unsaid, count)}. ${t`Anyone who can change the app's settings can write these.`}`;
    case "reasoning":
    case "tool":
      return counted(unsaid, count);
  }
}

function counted(unsaid: MessageKind, count: number): string {
  const name = messageName({ speaker: "", unsaid }, "");
  return count === 1 ? name : `${name} (${count})`;
}
