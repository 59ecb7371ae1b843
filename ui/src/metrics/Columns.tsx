import { scaleBand, scaleLinear } from "d3-scale";
import { stack } from "d3-shape";

import { ChartCursor } from "./ChartCursor";
import type { Column, Chart } from "./series";
import { useWidth } from "./use-width";
import { isolated } from "../format/isolated";

const HEIGHT = 176;
const BELOW = 22;
const LEFT = 34;
const TOP = 10;

/** The width of the longest tick, 'Nov 16', with margins, in pixels. */
const TICK = 52;

interface ColumnsProps {
  label: string;
  chart: Chart;
  /** The text for a value. */
  say: (value: number) => string;
}

/** A bar chart, stacked if there are several series. */
export function Columns({ label, chart: { series, columns }, say }: ColumnsProps) {
  const [width, measure] = useWidth();
  const x = scaleBand<number>()
    .domain(columns.map((_, index) => index))
    .range([LEFT, width])
    .padding(columns.length > 40 ? 0.15 : 0.3);
  const highest = Math.max(1, ...columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
  const y = scaleLinear()
    .domain([0, highest])
    .nice(3)
    .range([HEIGHT - BELOW, TOP]);
  const layers = stack<Column, number>()
    .keys(series.map((_, index) => index))
    .value((column, key) => column.values[key] ?? 0)([...columns]);
  const ticks = y.ticks(3).filter((tick) => Number.isInteger(tick));
  const isRoomy = x.step() >= TICK;
  return (
    <ChartCursor
      label={label}
      count={columns.length}
      say={(index) => sentence(columns[index], series, say)}
      find={(at) => Math.floor((at - LEFT) / x.step())}
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
          {ticks.map((tick) => (
            <g key={tick} transform={`translate(0 ${y(tick)})`}>
              <line x1={LEFT} x2={width} className="stroke-line" />
              <text x={LEFT - 6} dy="0.32em" textAnchor="end" className="fill-muted text-xs tabular-nums">
                {tick}
              </text>
            </g>
          ))}
          {layers.map((layer) =>
            layer.map((segment, index) => (
              <rect
                // oxlint-disable-next-line react/no-array-index-key -- a column has no other identity than its place
                key={`${layer.key}-${index}`}
                x={x(index)}
                y={y(segment[1])}
                width={x.bandwidth()}
                height={Math.max(0, y(segment[0]) - y(segment[1]))}
                className={`chart-${layer.key}`}
                opacity={active === null || active === index ? 1 : 0.45}
              />
            )),
          )}
          {columns.map(({ tick }, index) => (
            <text
              // oxlint-disable-next-line react/no-array-index-key -- a column has no other identity than its place
              key={index}
              x={(x(index) ?? 0) + x.bandwidth() / 2}
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

/** Whether a tick is shown. If space is short, only every second or third one is. */
function isShown(index: number, columns: readonly Column[], isRoomy: boolean): boolean {
  const marked = columns.flatMap(({ tick }, at) => (tick === "" ? [] : [at]));
  const every = isRoomy || marked.length <= 6 ? 1 : Math.ceil(marked.length / 4);
  return marked.indexOf(index) % every === 0;
}

/** The text for a column. */
function sentence(
  column: Column | undefined,
  series: readonly string[],
  say: (value: number) => string,
): string {
  if (column === undefined) return "";
  if (series.length === 1) return `${column.name}: ${say(column.values[0] ?? 0)}`;
  const parts = column.values
    .map((value, index) => ({ name: series[index] ?? "", value }))
    .filter(({ value }) => value > 0)
    .map(({ name, value }) => `${isolated(name)} ${say(value)}`);
  return `${column.name}: ${parts.length === 0 ? "nothing" : parts.join(", ")}`;
}
