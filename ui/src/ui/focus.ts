import { type RefObject, useLayoutEffect, useRef } from "react";

/** Focuses the page's heading, so that screen readers announce the page. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>("[data-page-heading]")?.focus();
}

interface FocusAfterRemoval extends FocusOptions {
  items: readonly string[];
  /** Selects what takes the focus in each item. */
  target: string;
  /** Takes the focus if there is no item left. */
  fallback?: RefObject<HTMLElement | null>;
}

/**
 * Keeps the focus in place when an item is removed with the button that was pressed in it: the focus moves to the next
 * item, else to the previous one, else to `fallback`. Call `leave` before the removal.
 */
export function useFocusAfterRemoval<List extends HTMLElement>(options: FocusAfterRemoval) {
  const { items, target, fallback, preventScroll = false } = options;
  const list = useRef<List>(null);
  const leaving = useRef<string>(undefined);
  const before = useRef(items);
  useLayoutEffect(() => {
    const left = leaving.current;
    const index = before.current.findIndex((item) => item === left);
    before.current = items;
    if (left === undefined || index === -1 || items.includes(left)) return;
    leaving.current = undefined;
    // The parent has moved on: the focus stays there.
    if (document.activeElement !== document.body) return;
    const targets = list.current?.querySelectorAll<HTMLElement>(target) ?? [];
    const next = targets[Math.min(index, targets.length - 1)] ?? fallback?.current;
    next?.focus({ preventScroll });
  }, [items, target, fallback, preventScroll]);
  const leave = (item: string) => {
    leaving.current = item;
  };
  return { list, leave };
}
