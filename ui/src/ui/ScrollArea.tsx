import { type ReactNode, type Ref, type SyntheticEvent, useRef } from "react";

/** How long the scroll bar stays visible after the last scroll (product specification, section 9). */
const HIDE_DELAY_MS = 600;

interface ScrollAreaProps {
  children: ReactNode;
  label: string;
  className?: string;
  ref?: Ref<HTMLElement>;
}

/** A scrollable region, also by keyboard. Its scroll bar is visible only during scrolling and pointing. */
export function ScrollArea({ children, label, className = "", ref }: ScrollAreaProps) {
  const hiding = useRef<ReturnType<typeof setTimeout>>(undefined);
  const showScrollBar = ({ currentTarget: { dataset } }: SyntheticEvent<HTMLElement>) => {
    dataset["scrolling"] = "";
    clearTimeout(hiding.current);
    hiding.current = setTimeout(() => delete dataset["scrolling"], HIDE_DELAY_MS);
  };
  return (
    <section
      ref={ref}
      aria-label={label}
      onScroll={showScrollBar}
      onPointerMove={showScrollBar}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
      tabIndex={0}
      className={`scroll-area -outline-offset-2 ${className}`}
    >
      {children}
    </section>
  );
}
