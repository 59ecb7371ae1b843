import { type RefObject, useCallback, useLayoutEffect, useRef } from "react";

/** Focuses the page's heading, so that screen readers announce the page. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>("[data-page-heading]")?.focus();
}

/**
 * Keeps the focus in place when a button removes its own item from a list: it moves to the next item, else to the
 * previous one, else to `fallback`.
 */
export function useFocusOnNext<List extends HTMLElement>(
  items: readonly string[],
  fallback: RefObject<HTMLElement | null>,
) {
  const list = useRef<List>(null);
  const leaving = useRef<{ index: number; items: readonly string[] } | null>(null);
  const latest = useRef(items);
  useLayoutEffect(() => {
    latest.current = items;
    const left = leaving.current;
    if (left === null || left.items === items) return;
    leaving.current = null;
    if (items.length >= left.items.length) return;
    const buttons = list.current?.querySelectorAll("button") ?? [];
    const next = buttons[Math.min(left.index, buttons.length - 1)] ?? fallback.current;
    next?.focus({ preventScroll: true });
  }, [items, fallback]);
  // The list is unmounted with its last item.
  useLayoutEffect(() => {
    const heading = fallback;
    return () => {
      if (leaving.current !== null) heading.current?.focus();
    };
  }, [fallback]);
  const leaveFrom = useCallback((index: number) => {
    leaving.current = { index, items: latest.current };
  }, []);
  return { list, leaveFrom };
}
