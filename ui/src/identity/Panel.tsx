import { type ReactNode, useRef } from "react";

import { revealed, useFocusAfterChange } from "../ui/focus";

interface PanelProps {
  heading: string;
  children: ReactNode;
}

/**
 * Replaces the pressed button or the previous panel. Its heading takes the focus, unless the focus has moved meanwhile. The
 * panel is scrolled into view, above a phone's bottom bar.
 */
export function Panel({ heading, children }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const replace = () => {
    if (document.activeElement === document.body) revealed(panel.current);
    return title.current;
  };
  useFocusAfterChange(null, replace, { isReplacement: true, preventScroll: true });
  return (
    <div
      ref={panel}
      className="flex scroll-mb-[calc(var(--bar)+1rem)] flex-col gap-4 rounded-surface border border-line bg-surface p-4 [overflow-wrap:anywhere] sm:p-5"
    >
      <h3 ref={title} tabIndex={-1} className="font-bold">
        {heading}
      </h3>
      {children}
    </div>
  );
}
