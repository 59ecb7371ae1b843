import { t } from "@lingui/core/macro";

import { ChartCursor } from "./ChartCursor";
import { bands, ticksTo } from "./scales";
import { type Column, type Chart, withValue } from "./series";
import { useWidth } from "./use-width";
import { isolated } from "../format/isolated";
import { inPagesLanguage } from "../ui/language";

const HEIGHT = 192;
const BELOW = 22;
const LEFT = 34;
/** Above the highest tick, for the unit. */
const TOP = 26;

/** The width of the longest tick, 'Nov 16', with margins, in pixels. */
const TICK = 52;

/** How far the last tick reaches into the margin of the card. */
const MARGIN = 10;

interface ColumnsProps {
  label: string;
  /** What is counted, above the axis. */
  unit: string;
  chart: Chart;
  /** The text for a value. */
  say: (value: number) => string;
}

/** A bar chart, stacked if there are several series. */
export function Columns({ label, unit, chart: { series, columns }, say }: ColumnsProps) {
  const [width, measure] = useWidth();
  const x = bands(columns.length, LEFT, width, columns.length > 40 ? 0.15 : 0.3);
  const highest = Math.max(1, ...columns.map(({ values }) => sum(values)));
  const ticks = ticksTo(highest, 3);
  const end = ticks.at(-1) ?? highest;
  const heightOf = (value: number) => (value / end) * (HEIGHT - BELOW - TOP);
  const y = (value: number) => HEIGHT - BELOW - heightOf(value);
  const isRoomy = x.step >= TICK;
  return (
    <ChartCursor
      label={label}
      count={columns.length}
      shown={columns.map(({ values }) => sum(values) > 0).lastIndexOf(true)}
      say={(index) => sentence(columns[index], series, say)}
      find={(at) => Math.floor((at - LEFT) / x.step)}
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
          <text x={0} y={12} className="fill-muted text-xs">
            {unit}
          </text>
          {ticks.filter(Number.isInteger).map((tick) => (
            <g key={tick} transform={`translate(0 ${y(tick)})`}>
              <line x1={LEFT} x2={width} className="stroke-line" />
              <text x={LEFT - 6} dy="0.32em" textAnchor="end" className="fill-muted text-xs tabular-nums">
                {tick}
              </text>
            </g>
          ))}
          {series.map((_, layer) =>
            columns.map(({ values }, index) => (
              <rect
                // oxlint-disable-next-line react/no-array-index-key -- a column has no other identity than its place
                key={`${layer}-${index}`}
                x={x.left(index)}
                y={y(sum(values.slice(0, layer + 1)))}
                width={x.width}
                height={heightOf(values[layer] ?? 0)}
                className={`chart-${layer}`}
                opacity={active === null || active === index ? 1 : 0.45}
              />
            )),
          )}
          {columns.map(({ tick }, index) => (
            <text
              // oxlint-disable-next-line react/no-array-index-key -- a column has no other identity than its place
              key={index}
              x={Math.min(x.left(index) + x.width / 2, width - TICK / 2 + MARGIN)}
              y={HEIGHT - 5}
              textAnchor="middle"
              className="fill-muted text-xs"
            >
              {isShown(index, columns, isRoomy) ? tick : ""}
            </text>
          ))}
        </svg>
      )}
    </ChartCursor>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Whether a tick is shown. If space is short, only every second or third one is. */
function isShown(index: number, columns: readonly Column[], isRoomy: boolean): boolean {
  const marked = columns.flatMap(({ tick }, at) => (tick === "" ? [] : [at]));
  const every = isRoomy || marked.length <= 6 ? 1 : Math.ceil(marked.length / 4);
  return marked.indexOf(index) % every === 0;
}

/** The text for a column. */
function sentence(
  column: Column | undefined,
  series: Chart["series"],
  say: (value: number) => string,
): string {
  if (column === undefined) return "";
  if (series.length === 1) return withValue(column.name, say(column.values[0] ?? 0));
  const parts = column.values
    .map((value, index) => ({ name: series[index] ?? "", value }))
    .filter(({ value }) => value > 0)
    .map(({ name, value }) => `${isolated(inPagesLanguage(name))} ${say(value)}`);
  return withValue(column.name, parts.length === 0 ? t`nothing` : parts.join(", "));
}
