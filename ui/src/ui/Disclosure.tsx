import { ChevronRightIcon } from "lucide-react";
import type { ReactNode } from "react";

interface DisclosureProps {
  summary: ReactNode;
  summaryClassName?: string;
  describedBy?: string;
  /** Whether it has an edge. */
  isCard?: boolean;
  /** It opens and closes by itself when this changes. */
  isOpen?: boolean;
  onToggle?: (isOpen: boolean) => void;
  className?: string;
  children: ReactNode;
}

/** A row that opens what is folded under it. */
export function Disclosure({
  summary,
  summaryClassName = "font-bold",
  describedBy,
  isCard = false,
  isOpen,
  onToggle,
  className = "",
  children,
}: DisclosureProps) {
  return (
    <details
      open={isOpen}
      onToggle={onToggle && (({ currentTarget }) => onToggle(currentTarget.open))}
      className={`${isCard ? "rounded-surface border border-line" : ""} ${className}`}
    >
      <summary
        aria-describedby={describedBy}
        className={`flex min-h-11 cursor-pointer list-none items-center gap-1.5 py-1.5 [overflow-wrap:anywhere] [&::-webkit-details-marker]:hidden ${isCard ? "px-4" : ""} ${summaryClassName}`}
      >
        <ChevronRightIcon className="size-5 shrink-0 text-muted transition-transform duration-150 [details[open]>summary>&]:rotate-90 print:hidden" />
        <span className="min-w-0">{summary}</span>
      </summary>
      {children}
    </details>
  );
}
