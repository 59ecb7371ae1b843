import {
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

/** How long the pointer hovers before the tooltip appears (product specification, section 9). */
const DELAY_MS = 200;
/** The distance between the tooltip and the edges of the window. */
const MARGIN_PX = 8;

interface TooltipProps {
  words: string;
  /** Renders the trigger. It must use `describedBy` and be focusable (`aria-disabled`, not `disabled`). */
  children: (describedBy: string) => ReactNode;
}

/**
 * A tooltip that opens after a delay on hover, and at once on focus or touch. It closes when the pointer or the focus
 * leaves, on Escape, and on a touch elsewhere.
 */
export function Tooltip({ words, children }: TooltipProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLSpanElement>(null);
  const bubble = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const show = () => {
    clearTimeout(timer.current);
    setOpen(true);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setOpen(false);
  };
  const enter = (event: PointerEvent) => {
    clearTimeout(timer.current);
    if (event.pointerType === "mouse") timer.current = setTimeout(() => setOpen(true), DELAY_MS);
    else show();
  };

  useEffect(() => {
    if (!open) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") setOpen(false);
    };
    // Lifting the finger doesn't close the tooltip; touching something else does.
    const onTouch = ({ target }: Event) => {
      if (!(target instanceof Node && root.current?.contains(target))) setOpen(false);
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener("pointerdown", onTouch);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("pointerdown", onTouch);
    };
  }, [open]);

  // Centred above the trigger, but within the window. It is measured at a fixed position, because overflowing the window
  // even for a moment would widen the page on a phone.
  useLayoutEffect(() => {
    const element = bubble.current;
    if (!open || element === null || root.current === null) return;
    element.style.position = "fixed";
    element.style.left = "0";
    const width = element.offsetWidth;
    element.style.position = "";
    const trigger = root.current.getBoundingClientRect();
    const rightmost = document.documentElement.clientWidth - MARGIN_PX - width;
    const left = Math.max(MARGIN_PX, Math.min(trigger.left + (trigger.width - width) / 2, rightmost));
    element.style.left = `${left - trigger.left}px`;
  }, [open]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles events of the trigger inside
    <span
      ref={root}
      className="relative inline-flex"
      onPointerEnter={enter}
      onPointerLeave={(event) => {
        if (event.pointerType === "mouse") hide();
      }}
      onFocus={show}
      onBlur={hide}
    >
      {children(id)}
      {/* The gap is part of the tooltip, so that the pointer can cross it. */}
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
