import { type RefObject, useEffect } from "react";

/** What a person does who is at the page. */
const SIGNS = ["pointerdown", "keydown", "wheel"] as const;

/**
 * Calls back when somebody uses the page while the element is on screen. A page that opens by itself in the background, or
 * on a device that nobody looks at, has shown nothing to anybody.
 */
export function useSeen(element: RefObject<HTMLElement | null>, onSeen: (() => unknown) | null): void {
  useEffect(() => {
    if (onSeen === null) return undefined;
    const notice = () => {
      if (document.visibilityState === "visible" && isOnScreen(element.current)) onSeen();
    };
    for (const sign of SIGNS) addEventListener(sign, notice, { capture: true, passive: true });
    return () => {
      for (const sign of SIGNS) removeEventListener(sign, notice, { capture: true });
    };
  }, [element, onSeen]);
}

function isOnScreen(element: HTMLElement | null): boolean {
  if (element === null) return false;
  const { top, bottom } = element.getBoundingClientRect();
  return bottom >= 0 && top <= innerHeight;
}
