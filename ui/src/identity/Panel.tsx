import { type ReactNode, useLayoutEffect, useRef } from "react";

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
  useLayoutEffect(() => {
    if (document.activeElement !== document.body) return;
    title.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: "nearest" });
  }, []);
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
