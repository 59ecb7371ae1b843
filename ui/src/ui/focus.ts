import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** Focuses the page's heading, so that screen readers announce the page. */
export function focusHeading(): void {
  focusOn(document.querySelector<HTMLElement>("[data-page-heading]"));
}

/** The ref of a form that opens: scrolls it into view, above a phone's bottom bar. */
export function revealed(form: HTMLElement | null): void {
  form?.scrollIntoView({ block: "nearest" });
}

/** The element to focus when the open dialog has closed. */
let awaiting: HTMLElement | null = null;

/** Focuses an element. While a modal dialog is open, the focus is deferred until it has closed. */
export function focusOn(element: HTMLElement | null): void {
  if (element !== null && isDialogOpen() && element.closest("dialog") === null) awaiting = element;
  else element?.focus();
}

/**
 * Called when a dialog closes. The browser restores the focus; if the element was removed, the page's heading is focused.
 */
export function focusAfterDialog(): void {
  // After React has committed the removal of the dialog.
  queueMicrotask(() => {
    if (isDialogOpen()) return;
    const next = awaiting?.isConnected === true ? awaiting : null;
    awaiting = null;
    if (next !== null) next.focus();
    else if (document.activeElement === document.body) focusHeading();
  });
}

function isDialogOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

/**
 * Restores the focus when a form closes together with its focused button. The focus moves to the button within `area` that
 * opened the form, marked with `data-opens`, else to the first one. `open` names the form; null if none is open.
 */
export function useFocusAfterForm<Area extends HTMLElement>(open: string | null) {
  const area = useRef<Area>(null);
  const before = useRef(open);
  useLayoutEffect(() => {
    const closed = before.current;
    before.current = open;
    if (closed === null || open !== null || document.activeElement !== document.body) return;
    const openers = area.current?.querySelectorAll<HTMLElement>("[data-opens]") ?? [];
    const opener = [...openers].find(({ dataset }) => dataset["opens"] === closed);
    (opener ?? area.current?.querySelector("button"))?.focus();
  }, [open]);
  return area;
}

interface FocusAfterRemoval extends FocusOptions {
  items: readonly string[];
  /** The selector of the focusable element in each item. */
  target: string;
  /** Focused if there is no item left. */
  fallback?: RefObject<HTMLElement | null>;
}

/**
 * Keeps the focus when an item is removed together with its focused button: the focus moves to the next item, else to the
 * previous one, else to `fallback`. Call `leave` before the removal.
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
    // The user has moved the focus meanwhile.
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

interface Pages {
  fetchNextPage: (options: { cancelRefetch: boolean }) => Promise<{ isError: boolean }>;
}

/**
 * Loads earlier items of a list and focuses the first new one, because the pressed button may be removed. The items are
 * focusable children of `list`.
 */
export function useFocusOnEarlier<List extends HTMLElement>(count: number, { fetchNextPage }: Pages) {
  const list = useRef<List>(null);
  /** The number of items before the button was pressed; null unless earlier ones are awaited. */
  const before = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (before.current === null || count <= before.current) return;
    const first = list.current?.children[before.current];
    before.current = null;
    if (first instanceof HTMLElement) first.focus();
  }, [count]);
  const showEarlier = async () => {
    before.current = count;
    const { isError } = await fetchNextPage({ cancelRefetch: false });
    if (isError) before.current = null;
  };
  return { list, showEarlier };
}

/** Closes an open popover when something outside of `root` is pressed or gets the focus. `setOpen` must be stable. */
export function useCloseOutside(
  root: RefObject<HTMLElement | null>,
  open: boolean,
  setOpen: (open: boolean) => void,
): void {
  useEffect(() => {
    if (!open) return undefined;
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && root.current?.contains(event.target) === false) setOpen(false);
    };
    document.addEventListener("pointerdown", closeOutside);
    document.addEventListener("focusin", closeOutside);
    return () => {
      document.removeEventListener("pointerdown", closeOutside);
      document.removeEventListener("focusin", closeOutside);
    };
  }, [root, open, setOpen]);
}
