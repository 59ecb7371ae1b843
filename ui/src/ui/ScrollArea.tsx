import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from "react";

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
  const area = useRef<HTMLElement>(null);
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => area.current, []);
  useEffect(() => {
    const element = area.current;
    if (element === null) return undefined;
    let hiding: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      element.dataset["scrolling"] = "";
      clearTimeout(hiding);
      hiding = setTimeout(() => delete element.dataset["scrolling"], HIDE_DELAY_MS);
    };
    element.addEventListener("scroll", show, { passive: true });
    element.addEventListener("pointermove", show, { passive: true });
    return () => {
      clearTimeout(hiding);
      element.removeEventListener("scroll", show);
      element.removeEventListener("pointermove", show);
    };
  }, []);
  return (
    <section
      ref={area}
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
      tabIndex={0}
      className={`scroll-area -outline-offset-2 ${className}`}
    >
      {children}
    </section>
  );
}
