import { useCallback, useState } from "react";

import { usePrinting } from "../ui/printing";

/** The width before the first measurement, in pixels. */
const FIRST = 320;

/** The width in print, in pixels: a little less than A4 and Letter have between their margins. */
const PAPER = 640;

/** The width of an element in pixels, and the ref that measures it. */
export function useWidth(): [number, (element: Element | null) => (() => void) | undefined] {
  const [width, setWidth] = useState(FIRST);
  const measure = useCallback((element: Element | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined && entry.contentRect.width > 0) setWidth(entry.contentRect.width);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [usePrinting() ? PAPER : width, measure];
}
