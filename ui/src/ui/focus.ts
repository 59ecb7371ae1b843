import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";

export function pageHeading(): HTMLElement | null {
  return document.querySelector("[data-page-heading]");
}

/** Focuses the page's heading, so that screen readers announce the page. */
export function focusHeading(): void {
  focusOn(pageHeading());
}

/** Scrolls a form or panel that opens into view, above a phone's bottom bar. Also as a `ref`. */
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
 * Moves the focus when a change of `state` has removed the focused element, unless the user has moved it meanwhile. `next` finds
 * the element to focus. At first it is called only for what replaces a focused element, so `isReplacement`.
 */
export function useFocusAfterChange<State>(
  state: State,
  next: (before: State) => HTMLElement | null | undefined,
  { isReplacement = false, ...options }: FocusOptions & { isReplacement?: boolean } = {},
): void {
  const before = useRef<{ state: State } | null>(isReplacement ? null : { state });
  const restore = useEffectEvent((last: State) => {
    // The browser moves the focus to the body when the focused element is removed.
    const element = next(last);
    if (document.activeElement === document.body) element?.focus(options);
  });
  useLayoutEffect(() => {
    const last = before.current;
    before.current = { state };
    if (last === null) restore(state);
    else if (last.state !== state) restore(last.state);
  }, [state]);
}

/**
 * For a button that a line with an undo replaces, and that replaces it again. Call `press` before the change: the focus then goes
 * to the first button of what is there instead, and stays where it is when somebody else made the change.
 */
export function useFocusAfterUndo<Area extends HTMLElement>(isDone: boolean) {
  const area = useRef<Area>(null);
  const isPressed = useRef(false);
  useFocusAfterChange(isDone, () => {
    const button = isPressed.current ? area.current?.querySelector("button") : null;
    isPressed.current = false;
    return button;
  });
  const press = () => {
    isPressed.current = true;
  };
  return { area, press };
}

/**
 * Restores the focus when a form closes together with its focused button. The focus moves to the button within `area` that
 * opened the form, marked with `data-opens`, else to the first one. `open` names the form; null if none is open.
 */
export function useFocusAfterForm<Area extends HTMLElement>(open: string | null) {
  const area = useRef<Area>(null);
  useFocusAfterChange(open, (closed) => {
    if (open !== null) return null;
    const openers = area.current?.querySelectorAll<HTMLElement>("[data-opens]") ?? [];
    const opener = [...openers].find(({ dataset }) => dataset["opens"] === closed);
    return opener ?? area.current?.querySelector("button");
  });
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
  const find = (before: readonly string[]) => {
    const left = leaving.current;
    const index = before.findIndex((item) => item === left);
    if (left === undefined || index === -1 || items.includes(left)) return null;
    leaving.current = undefined;
    const targets = list.current?.querySelectorAll<HTMLElement>(target) ?? [];
    return targets[Math.min(index, targets.length - 1)] ?? fallback?.current;
  };
  useFocusAfterChange(items, find, { preventScroll });
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
 * focusable: the elements in `list` that match `items`, by default its children.
 */
export function useFocusOnEarlier<List extends HTMLElement>(
  count: number,
  { fetchNextPage }: Pages,
  items = ":scope > *",
) {
  const list = useRef<List>(null);
  /** The last item before the button was pressed; null unless earlier ones are awaited. */
  const before = useRef<HTMLElement | null>(null);
  const itemsNow = () => [...(list.current?.querySelectorAll<HTMLElement>(items) ?? [])];
  const focusFirstNew = useEffectEvent(() => {
    const last = before.current;
    if (last === null) return;
    const shown = itemsNow();
    const first = shown[shown.indexOf(last) + 1];
    if (first === undefined) return;
    before.current = null;
    first.focus();
  });
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the list has more items when `count` has changed
  useLayoutEffect(() => focusFirstNew(), [count]);
  const showEarlier = async () => {
    before.current = itemsNow().at(-1) ?? null;
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
