import { ChevronRightIcon } from "lucide-react";
import type { ReactNode } from "react";

interface FoldedProps {
  summary: string;
  isOpen: boolean;
  children: ReactNode;
}

/** A part of a message that the reader can open. It opens by itself if `isOpen` becomes true. */
export function Folded({ summary, isOpen, children }: FoldedProps) {
  return (
    <details open={isOpen}>
      <summary className="flex min-h-11 w-fit min-w-11 cursor-pointer items-center gap-1 text-sm text-muted [overflow-wrap:anywhere]">
        <ChevronRightIcon className="size-4 shrink-0 in-open:rotate-90" />
        {summary}
      </summary>
      {children}
    </details>
  );
}
