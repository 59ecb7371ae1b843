import { type ReactNode, type Ref, type RefCallback, type SyntheticEvent, useMemo, useRef } from "react";

import { useScrolls } from "./scrolls";

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
  const { ref: scrolls, tabIndex } = useScrolls();
  const both = useMemo(() => mergedRefs(scrolls, ref), [scrolls, ref]);
  const hiding = useRef<ReturnType<typeof setTimeout>>(undefined);
  const showScrollBar = ({ currentTarget: { dataset } }: SyntheticEvent<HTMLElement>) => {
    dataset["scrolling"] = "";
    clearTimeout(hiding.current);
    hiding.current = setTimeout(() => delete dataset["scrolling"], HIDE_DELAY_MS);
  };
  return (
    <section
      ref={both}
      aria-label={label}
      onScroll={showScrollBar}
      onPointerMove={showScrollBar}
      tabIndex={tabIndex}
      className={`scroll-area -outline-offset-2 ${className}`}
    >
      {children}
    </section>
  );
}

/** A ref that passes the element on to both. */
function mergedRefs<Element>(
  one: (element: Element | null) => (() => void) | undefined,
  other: Ref<Element> | undefined,
): RefCallback<Element> {
  return (element) => {
    const release = one(element);
    if (typeof other === "function") other(element);
    else if (other) other.current = element;
    return () => {
      release?.();
      if (typeof other === "function") other(null);
      else if (other) other.current = null;
    };
  };
}
