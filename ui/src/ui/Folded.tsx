import type { ReactNode } from "react";

import { Disclosure } from "../ui/Disclosure";

interface FoldedProps {
  summary: string;
  isOpen: boolean;
  children: ReactNode;
}

/** A part of a message that the reader can open. It opens by itself if `isOpen` becomes true. */
export function Folded({ summary, isOpen, children }: FoldedProps) {
  return (
    <Disclosure summary={summary} summaryClassName="w-fit min-w-11 text-sm text-muted" isOpen={isOpen}>
      {children}
    </Disclosure>
  );
}
