import { type ReactNode, useEffect, useId, useRef, useState } from "react";

/** How long the pointer rests before the words appear (product specification, section 9). */
const DELAY_MS = 200;

interface TooltipProps {
  words: string;
  /** Renders what is explained; it must take `describedBy` and be focusable (`aria-disabled`, not `disabled`). */
  children: (describedBy: string) => ReactNode;
}

/** Words that explain a thing: after a moment of hovering, at once on focus or touch, gone with Escape. */
export function Tooltip({ words, children }: TooltipProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const show = (delay: number) => {
    clearTimeout(waiting.current);
    waiting.current = setTimeout(() => setOpen(true), delay);
  };
  const hide = () => {
    clearTimeout(waiting.current);
    setOpen(false);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens for the thing inside, is none itself
    <span
      className="relative inline-flex"
      onPointerEnter={(event) => show(event.pointerType === "mouse" ? DELAY_MS : 0)}
      onPointerLeave={hide}
      onFocus={() => show(0)}
      onBlur={hide}
      onKeyDown={(event) => {
        if (event.key === "Escape") hide();
      }}
    >
      {children(id)}
      <span
        id={id}
        role="tooltip"
        hidden={!open}
        className="absolute bottom-full left-1/2 z-30 mb-2 w-max max-w-64 -translate-x-1/2 rounded-control bg-ink px-3 py-2 text-sm text-page shadow-float"
      >
        {words}
      </span>
    </span>
  );
}
