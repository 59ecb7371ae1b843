import { ChartCursor } from "./ChartCursor";
import { bands } from "./scales";
import { type Hour, WEEKDAYS, hourName } from "./series";
import { useWidth } from "./use-width";
import { inWords } from "../format/durations";

const LEFT = 34;
const ROW = 22;
const BELOW = 22;
const HEIGHT = 7 * ROW + BELOW;

/** A grid with a square for each hour of the week; its size is the duration of talk. */
export function WeekGrid({ label, hours }: { label: string; hours: readonly Hour[] }) {
  const [width, measure] = useWidth();
  const x = bands(24, LEFT, width);
  const side = Math.min(ROW, x.step);
  const longest = Math.max(60, ...hours.map(({ seconds }) => seconds));
  // Its area is the duration.
  const size = (seconds: number) => (side - 2) * Math.sqrt(seconds / longest);
  const say = (index: number) => {
    const hour = hours[index];
    if (hour === undefined) return "";
    return `${WEEKDAYS[hour.weekday]}, ${hourName(hour.hour)} to ${hourName((hour.hour + 1) % 24)}: ${inWords(hour.seconds)}`;
  };
  return (
    <ChartCursor
      label={label}
      count={hours.length}
      columns={24}
      say={say}
      find={(left, top) => {
        const hour = Math.min(23, Math.max(0, Math.floor((left - LEFT) / x.step)));
        return Math.min(6, Math.max(0, Math.floor(top / ROW))) * 24 + hour;
      }}
    >
      {(active) => (
        <svg
          ref={measure}
          width="100%"
          height={HEIGHT}
          // Scales the chart where its width isn't measured (print).
          viewBox={`0 0 ${width} ${HEIGHT}`}
          preserveAspectRatio="xMinYMid"
          aria-hidden="true"
          className="block overflow-visible"
        >
          {WEEKDAYS.map((name, weekday) => (
            <g key={name} transform={`translate(0 ${weekday * ROW})`}>
              <text x={0} y={ROW / 2} dy="0.32em" className="fill-muted text-xs">
                {name.slice(0, 3)}
              </text>
              <line x1={LEFT} x2={width} y1={ROW} y2={ROW} className="stroke-line" />
            </g>
          ))}
          {hours.map(({ weekday, hour, seconds }, index) => {
            const length = seconds === 0 ? 0 : Math.max(3, size(seconds));
            const left = x.left(hour) + (x.width - length) / 2;
            const top = weekday * ROW + (ROW - length) / 2;
            return (
              <rect
                key={`${weekday}-${hour}`}
                x={left}
                y={top}
                width={length}
                height={length}
                rx={2}
                className="chart-0"
                opacity={active === null || active === index ? 1 : 0.45}
              />
            );
          })}
          {[0, 6, 12, 18].map((hour) => (
            <text
              key={hour}
              x={x.left(hour) + x.width / 2}
              y={HEIGHT - 5}
              textAnchor="middle"
              className="fill-muted text-xs"
            >
              {hourName(hour)}
            </text>
          ))}
        </svg>
      )}
    </ChartCursor>
  );
}
