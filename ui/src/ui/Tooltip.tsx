import {
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

/** How long the pointer rests before the words appear (product specification, section 9). */
const DELAY_MS = 200;
/** The words keep this far from the window's sides. */
const MARGIN_PX = 8;

interface TooltipProps {
  words: string;
  /** Renders what is explained; it must take `describedBy` and be focusable (`aria-disabled`, not `disabled`). */
  children: (describedBy: string) => ReactNode;
}

/**
 * Words that explain a thing: after a moment of hovering, at once on focus or touch. They leave with the pointer or the
 * focus, with Escape, and with a touch elsewhere.
 */
export function Tooltip({ words, children }: TooltipProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const whole = useRef<HTMLSpanElement>(null);
  const bubble = useRef<HTMLSpanElement>(null);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);

  const show = () => {
    clearTimeout(waiting.current);
    setOpen(true);
  };
  const hide = () => {
    clearTimeout(waiting.current);
    setOpen(false);
  };
  const enter = (event: PointerEvent) => {
    clearTimeout(waiting.current);
    if (event.pointerType === "mouse") waiting.current = setTimeout(() => setOpen(true), DELAY_MS);
    else show();
  };

  useEffect(() => {
    if (!open) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") setOpen(false);
    };
    // A finger that is lifted has not left: what it touched stays explained until it touches something else.
    const onTouch = ({ target }: Event) => {
      if (!(target instanceof Node && whole.current?.contains(target))) setOpen(false);
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener("pointerdown", onTouch);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("pointerdown", onTouch);
    };
  }, [open]);

  // Above the middle of the thing, but within the window. What is measured must not stick out of it even for that
  // moment: a phone would widen the page by it.
  useLayoutEffect(() => {
    const element = bubble.current;
    if (!open || element === null || whole.current === null) return;
    element.style.position = "fixed";
    element.style.left = "0";
    const width = element.offsetWidth;
    element.style.position = "";
    const thing = whole.current.getBoundingClientRect();
    const rightmost = document.documentElement.clientWidth - MARGIN_PX - width;
    const left = Math.max(MARGIN_PX, Math.min(thing.left + (thing.width - width) / 2, rightmost));
    element.style.left = `${left - thing.left}px`;
  }, [open]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens for the thing inside, is none itself
    <span
      ref={whole}
      className="relative inline-flex"
      onPointerEnter={enter}
      onPointerLeave={(event) => {
        if (event.pointerType === "mouse") hide();
      }}
      onFocus={show}
      onBlur={hide}
    >
      {children(id)}
      {/* The gap belongs to the words, so that a pointer can cross it to them. */}
      <span ref={bubble} hidden={!open} className="absolute bottom-full left-0 z-30 w-max max-w-64 pb-2">
        <span
          id={id}
          role="tooltip"
          className="block rounded-control bg-ink px-3 py-2 text-sm text-page shadow-float"
        >
          {words}
        </span>
      </span>
    </span>
  );
}
