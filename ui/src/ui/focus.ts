import { type RefObject, useCallback, useLayoutEffect, useRef } from "react";

/** Gives the focus to the page's heading, so that those who listen hear where they are. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>("[data-page-heading]")?.focus();
}

/**
 * Keeps the focus in its place when a button makes its own item leave a list: it goes to the item that moves up, else to
 * the one before, else to `fallback`.
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
  // The last item takes the list with it.
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
