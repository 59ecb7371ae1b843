import { t } from "@lingui/core/macro";

import { ChartCursor } from "./ChartCursor";
import { bands } from "./scales";
import { type Hour, WEEKDAYS } from "./series";
import { useWidth } from "./use-width";
import { hourName, weekdayName } from "../format/dates";
import { inWords } from "../format/durations";

const LEFT = 34;
const ROW = 22;
const BELOW = 22;
const HEIGHT = 7 * ROW + BELOW;

/** The opacities of the shades, from little to much. Each step is told apart by its lightness alone. */
const SHADES = [0.25, 0.5, 0.75, 1] as const;

/** A heat map with a cell for each hour of the week: the darker, the longer the talk. */
export function WeekGrid({ label, hours }: { label: string; hours: readonly Hour[] }) {
  const [width, measure] = useWidth();
  const x = bands(24, LEFT, width);
  const longest = Math.max(60, ...hours.map(({ seconds }) => seconds));
  const shade = (seconds: number) => SHADES[Math.ceil((seconds / longest) * SHADES.length) - 1];
  const say = (index: number) => {
    const hour = hours[index];
    if (hour === undefined) return "";
    const weekday = weekdayName(hour.weekday);
    const from = hourName(hour.hour);
    const to = hourName((hour.hour + 1) % 24);
    return t`${weekday}, ${from} to ${to}: ${{ time: inWords(hour.seconds) }}`;
  };
  return (
    <>
      <ChartCursor
        label={label}
        count={hours.length}
        columns={24}
        shown={hours.findIndex(({ seconds }) => seconds === longest)}
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
            // Time goes to the right in each language.
            className="block overflow-visible [direction:ltr]"
          >
            {WEEKDAYS.map((weekday) => (
              <text
                key={weekday}
                x={0}
                y={weekday * ROW + ROW / 2}
                dy="0.32em"
                className="fill-muted text-xs"
              >
                {weekdayName(weekday, "short")}
              </text>
            ))}
            <line x1={LEFT} x2={width} y1={7 * ROW} y2={7 * ROW} className="stroke-line" />
            {hours.map(({ weekday, hour, seconds }, index) => (
              <rect
                key={`${weekday}-${hour}`}
                x={x.left(hour) + 1}
                y={weekday * ROW + 1}
                width={Math.max(1, x.width - 2)}
                height={ROW - 2}
                rx={2}
                className={`${seconds === 0 ? "heat-none" : "heat"} ${active === index ? "stroke-ink stroke-2" : ""}`}
                fillOpacity={shade(seconds)}
              />
            ))}
            {[0, 6, 12, 18].map((hour) => (
              <text
                key={hour}
                x={x.left(hour)}
                y={HEIGHT - 5}
                textAnchor="start"
                className="fill-muted text-xs"
              >
                {hourName(hour)}
              </text>
            ))}
          </svg>
        )}
      </ChartCursor>
      <p aria-hidden="true" className="flex items-center gap-1.5 text-xs text-muted">
        {t({ message: "none", context: "time" })}
        <svg width={22 * (SHADES.length + 1)} height="14">
          {[undefined, ...SHADES].map((opacity, index) => (
            <rect
              key={opacity ?? "none"}
              x={22 * index + 1}
              y="1"
              width="20"
              height="12"
              rx="2"
              className={opacity === undefined ? "heat-none" : "heat"}
              fillOpacity={opacity}
            />
          ))}
        </svg>
        {inWords(longest)}
      </p>
    </>
  );
}
