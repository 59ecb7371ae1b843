import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from "react";

interface ChartCursorProps {
  label: string;
  /** The number of values. */
  count: number;
  /** The number of values in a row. */
  columns?: number;
  /** The index of the value whose text is shown while none is selected. */
  shown?: number;
  /** The text for a value. */
  say: (index: number) => string;
  /** The index of the value at this position, in pixels from the top left. */
  find: (x: number, y: number) => number;
  children: (active: number | null) => ReactNode;
}

/**
 * Selects one value of a chart by pointer, touch or arrow keys, in two directions if there are several rows. It has the role
 * `slider`, so that screen readers read the values, and is one tab stop.
 */
export function ChartCursor({
  label,
  count,
  columns = count,
  shown = count - 1,
  say,
  find,
  children,
}: ChartCursorProps) {
  const [active, setActive] = useState<number | null>(null);
  const within = (index: number) => Math.min(count - 1, Math.max(0, index));
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    setActive(within(find(event.clientX - box.left, event.clientY - box.top)));
  };
  const press = (event: KeyboardEvent) => {
    const to = target(event, active ?? count - 1, count, columns);
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
        {say(active ?? shown)}
      </p>
    </div>
  );
}

/** The index that a key moves to; null for other keys. With several rows, up and down change the row. */
function target(
  { key, ctrlKey }: KeyboardEvent,
  from: number,
  count: number,
  columns: number,
): number | null {
  const isGrid = columns < count;
  const first = isGrid && !ctrlKey ? from - (from % columns) : 0;
  const last = isGrid && !ctrlKey ? first + columns - 1 : count - 1;
  switch (key) {
    case "ArrowLeft":
      return Math.max(from - 1, from - (from % columns));
    case "ArrowRight":
      return Math.min(from + 1, from - (from % columns) + columns - 1);
    case "ArrowUp":
      if (!isGrid) return from + 1;
      return from < columns ? from : from - columns;
    case "ArrowDown":
      if (!isGrid) return from - 1;
      return from + columns < count ? from + columns : from;
    case "Home":
      return first;
    case "End":
      return last;
    default:
      return null;
  }
}
