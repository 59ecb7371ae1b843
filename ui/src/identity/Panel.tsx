import { type ReactNode, useLayoutEffect, useRef } from "react";

interface PanelProps {
  heading: string;
  children: ReactNode;
}

/**
 * What replaces the button that was pressed, or the panel before it. Its heading takes the focus, unless the focus has gone
 * elsewhere meanwhile.
 */
export function Panel({ heading, children }: PanelProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (document.activeElement === document.body) title.current?.focus();
  }, []);
  return (
    <div className="flex flex-col gap-4 rounded-surface border border-line bg-surface p-4 [overflow-wrap:anywhere] sm:p-5">
      <h3 ref={title} tabIndex={-1} className="font-bold">
        {heading}
      </h3>
      {children}
    </div>
  );
}
