import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from "react";

interface ExplorerProps {
  label: string;
  /** How many values there are. */
  count: number;
  /** A value in words. */
  say: (index: number) => string;
  /** The value at this place, in pixels from the left and from the top. */
  find: (x: number, y: number) => number;
  children: (active: number | null) => ReactNode;
}

/**
 * A picture whose values are read one by one: by pointing, by touch, or with the arrow keys. It is a slider over its values,
 * which a screen reader reads out.
 */
export function Explorer({ label, count, say, find, children }: ExplorerProps) {
  const [active, setActive] = useState<number | null>(null);
  const within = (index: number) => Math.min(count - 1, Math.max(0, index));
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    setActive(within(find(event.clientX - box.left, event.clientY - box.top)));
  };
  const press = (event: KeyboardEvent) => {
    const to = target(event.key, active, count);
    if (to === null) return;
    event.preventDefault();
    setActive(within(to));
  };
  return (
    <div className="flex flex-col gap-1">
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={Math.max(1, count)}
        aria-valuenow={(active ?? count - 1) + 1}
        aria-valuetext={say(active ?? count - 1)}
        className="touch-pan-y rounded-control print:outline-none"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={(event) => event.pointerType === "mouse" && setActive(null)}
        onKeyDown={press}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && setActive(active ?? count - 1)}
        onBlur={() => setActive(null)}
      >
        {children(active)}
      </div>
      <p aria-hidden="true" className="min-h-5.5 text-sm text-muted [overflow-wrap:anywhere] print:hidden">
        {active === null ? "" : say(active)}
      </p>
    </div>
  );
}

/** Where a key leads; null if it leads nowhere. */
function target(key: string, active: number | null, count: number): number | null {
  const from = active ?? count - 1;
  switch (key) {
    case "ArrowLeft":
    case "ArrowDown":
      return from - 1;
    case "ArrowRight":
    case "ArrowUp":
      return from + 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
