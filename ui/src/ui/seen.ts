import { type RefObject, useEffect } from "react";

/** Events that show that a person is using the page. */
const SIGNS = ["pointerdown", "keydown", "wheel"] as const;

/**
 * Calls `onSeen` when somebody uses the page while the element is visible. An element on a background page, or on an
 * unattended device, doesn't count as seen.
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
