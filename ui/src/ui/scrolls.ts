import { useCallback, useState } from "react";

/**
 * The ref and `tabIndex` of an element that may overflow: it is a tab stop only if it can be scrolled by keyboard.
 */
export function useScrolls() {
  const [scrolls, setScrolls] = useState(false);
  const ref = useCallback((area: HTMLElement | null) => {
    if (area === null) return undefined;
    const measure = () =>
      setScrolls(area.scrollWidth > area.clientWidth || area.scrollHeight > area.clientHeight);
    // It measures at once, too, but after the layout of the frame, where asking costs nothing.
    const observer = new ResizeObserver(measure);
    observer.observe(area);
    for (const child of area.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return { ref, tabIndex: scrolls ? 0 : undefined };
}
