import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";

import { moveByKey } from "./arrow-keys";
import { useCloseOutside } from "./focus";

interface MenuProps {
  /** The accessible name of the button. */
  label: string;
  trigger: ReactNode;
  triggerClassName: string;
  /** The position relative to the button. */
  placement: "below" | "above";
  /** Whether it is aligned with the nearest positioned ancestor instead of the button. */
  isInAncestor?: boolean;
  /** Whether an item links to the current page. */
  current?: boolean;
  /** Rendered above the items. */
  above?: ReactNode;
  /** Items are buttons or links with `role="menuitem"`, which close the menu, `"menuitemradio"` or `"menuitemcheckbox"`. */
  children: ReactNode;
}

/**
 * A menu button: the arrow keys and the first letters of an item move, Escape and a click elsewhere close the menu, and the focus
 * returns to the button. Tab moves on from there.
 */
export function Menu({
  label,
  trigger,
  triggerClassName,
  placement,
  isInAncestor = false,
  current = false,
  above,
  children,
}: MenuProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const menuId = useId();

  useEffect(() => {
    if (open) items(menu.current)[0]?.focus();
  }, [open]);
  useCloseOutside(root, open, setOpen);

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };

  const typed = useRef({ text: "", at: 0 });
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items(menu.current);
    const focused = all.findIndex((item) => item === document.activeElement);
    if (
      moveByKey(event, {
        count: all.length,
        current: focused,
        isLoop: true,
        onMove: (to) => all[to]?.focus(),
      })
    )
      return;
    if (event.key === "Escape") {
      event.preventDefault();
      close();
    } else if (event.key === "Tab") {
      // The browser then moves the focus on from the button.
      close();
    } else if (isTyping(event)) {
      const isNext = event.timeStamp - typed.current.at < TYPING_MS;
      typed.current = { text: (isNext ? typed.current.text : "") + event.key, at: event.timeStamp };
      findTyped(all, focused, typed.current.text)?.focus();
    }
  };

  return (
    <div ref={root} className={isInAncestor ? "" : "relative"}>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-current={current ? "true" : undefined}
        aria-expanded={open}
        aria-controls={open ? menuId : undefined}
        onClick={() => setOpen(!open)}
        className={triggerClassName}
      >
        {trigger}
      </button>
      {open && (
        <div
          data-popup
          className={`appear absolute end-0 z-30 max-h-[calc(100dvh-8.5rem)] w-max max-w-[min(20rem,calc(100vw-2rem))] min-w-[min(14rem,calc(100vw-2rem))] overflow-y-auto [overflow-wrap:anywhere] rounded-surface border border-line bg-surface p-1.5 shadow-float ${
            placement === "below" ? "top-full mt-1.5" : "bottom-full mb-1.5"
          }`}
        >
          {above}
          <div
            ref={menu}
            id={menuId}
            role="menu"
            tabIndex={-1}
            aria-label={label}
            onKeyDown={onKeyDown}
            onClick={(event) => {
              const item = event.target instanceof Element ? event.target.closest("[role=menuitem]") : null;
              if (item instanceof HTMLAnchorElement) setOpen(false);
              // Focus the button, so that a dialog opened by the item returns the focus to it.
              else if (item !== null) close();
            }}
          >
            {children}
          </div>
        </div>
      )}
    </div>
  );
}

export const menuItemClass =
  "flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-start hover:bg-quiet focus-visible:bg-quiet -outline-offset-2";

function items(menu: HTMLElement | null): HTMLElement[] {
  return menu === null ? [] : [...menu.querySelectorAll<HTMLElement>("[role^=menuitem]")];
}

/** Letters that are typed faster than this belong together. */
const TYPING_MS = 500;

function isTyping({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey;
}

/** The next item that begins with a text, or the focused one while more of it is typed. */
function findTyped(all: readonly HTMLElement[], current: number, text: string): HTMLElement | undefined {
  const from = text.length === 1 ? current + 1 : Math.max(current, 0);
  return [...all.slice(from), ...all.slice(0, from)].find((item) =>
    item.textContent.trim().toLowerCase().startsWith(text.toLowerCase()),
  );
}
