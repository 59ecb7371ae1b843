import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";

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

/** A menu button: the arrow keys move, Escape and a click elsewhere close the menu, and the focus returns to the button. */
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

  const onKeyDown = (event: KeyboardEvent) => {
    const all = items(menu.current);
    const next = nextIndex(
      event.key,
      all.findIndex((item) => item === document.activeElement),
      all.length,
    );
    if (event.key === "Escape") close();
    else if (next !== null) all[next]?.focus();
    else return;
    event.preventDefault();
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
          className={`appear absolute right-0 z-30 max-h-[calc(100dvh-8.5rem)] w-max max-w-[min(20rem,calc(100vw-2rem))] min-w-[min(14rem,calc(100vw-2rem))] overflow-y-auto [overflow-wrap:anywhere] rounded-surface border border-line bg-surface p-1.5 shadow-float ${
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
  "flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-left hover:bg-quiet focus-visible:bg-quiet -outline-offset-2";

/** The index that an arrow key, Home or End moves to; null for other keys. */
export function nextIndex(key: string, current: number, count: number): number | null {
  switch (key) {
    case "ArrowDown":
    case "ArrowRight":
      return (current + 1) % count;
    case "ArrowUp":
    case "ArrowLeft":
      return current <= 0 ? count - 1 : current - 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

function items(menu: HTMLElement | null): HTMLElement[] {
  return menu === null ? [] : [...menu.querySelectorAll<HTMLElement>("[role^=menuitem]")];
}
