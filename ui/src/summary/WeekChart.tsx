import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import type { Weekday } from "./overview";
import { inWords } from "../format/durations";

/** The height of the highest bar, in pixels. */
const HEIGHT = 96;

/** The height of a bar's number, in pixels. */
const NUMBER = 16;

/** Two numbers of three digits fit side by side. */
const NUMBER_SIZE = "text-[min(0.6875rem,2.8vw)]";

/** The minimum height of a bar, in pixels. */
const SMALLEST = 3;

/** Browsers omit backgrounds in print unless `print-color-adjust` is `exact`. */
const THIS_WEEK = "bg-primary [print-color-adjust:exact] forced-colors:bg-[Highlight]";
const LAST_WEEK = "border border-edge bg-quiet [print-color-adjust:exact]";

/** The labels scale with the text size, as long as seven fit side by side. */
const WORD = "text-[min(var(--text-xs),3.3vw)]";

/** A bar chart of this and last week by weekday; a table for screen readers. */
export function WeekChart({ week }: { week: readonly Weekday[] }) {
  const longest = Math.max(60, ...week.flatMap(({ thisWeek, lastWeek }) => [thisWeek ?? 0, lastWeek]));
  const height = (seconds: number) =>
    seconds === 0 ? 0 : Math.max(SMALLEST, Math.round((seconds / longest) * HEIGHT));
  return (
    <figure className="flex flex-col gap-2">
      <div
        aria-hidden="true"
        className="grid grid-cols-7 items-end gap-1 rounded-surface border border-line bg-surface px-2 pt-4 pb-2 sm:gap-3 sm:px-4"
      >
        {week.map(({ name, shortName, thisWeek, lastWeek }) => (
          <div key={name} className="flex flex-col items-center gap-1">
            <div className="flex w-full items-end justify-center gap-0.5 sm:gap-1">
              <Bar number={minutes(lastWeek)} height={height(lastWeek)} look={LAST_WEEK} />
              <Bar number={minutes(thisWeek ?? 0)} height={height(thisWeek ?? 0)} look={THIS_WEEK} strong />
            </div>
            <span className={`${WORD} ${thisWeek === null ? "text-muted" : ""}`}>{shortName}</span>
          </div>
        ))}
      </div>
      <figcaption aria-hidden="true" className="flex flex-wrap gap-x-4 text-xs text-muted">
        <Key look={THIS_WEEK} words={t`This week`} />
        <Key look={LAST_WEEK} words={t`Last week`} />
      </figcaption>
      {/* A table without a wrapper overflows the page even if visually hidden. */}
      <div className="sr-only">
        <table>
          <caption>
            <Trans>Minutes by day, this week and last week</Trans>
          </caption>
          <thead>
            <tr>
              <th scope="col">
                <Trans>Day</Trans>
              </th>
              <th scope="col">
                <Trans>This week</Trans>
              </th>
              <th scope="col">
                <Trans>Last week</Trans>
              </th>
            </tr>
          </thead>
          <tbody>
            {week.map(({ name, thisWeek, lastWeek }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{thisWeek === null ? t`still to come` : inWords(thisWeek)}</td>
                <td>{inWords(lastWeek)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

/** In hours if the minutes would be wider than the bars. */
function minutes(seconds: number): string {
  if (seconds === 0) return "";
  if (seconds < 30) return "<1";
  const rounded = Math.round(seconds / 60);
  return rounded < 1000 ? String(rounded) : t`${{ hours: Math.round(rounded / 60) }} h`;
}

interface BarProps {
  number: string;
  height: number;
  look: string;
  strong?: boolean;
}

/** A bar with its number on it. The space above the highest one is for its number. */
function Bar({ number, height, look, strong = false }: BarProps) {
  return (
    <div className="flex w-1/3 max-w-5 flex-col justify-end" style={{ height: HEIGHT + NUMBER }}>
      <span
        className={`-mx-2 text-center leading-4 whitespace-nowrap tabular-nums ${NUMBER_SIZE} ${strong ? "font-bold" : "text-muted"}`}
      >
        {number}
      </span>
      <div className={`rounded-t-[3px] ${look}`} style={{ height }} hidden={height === 0} />
    </div>
  );
}

function Key({ look, words }: { look: string; words: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className={`size-2.5 rounded-[2px] ${look}`} />
      {words}
    </span>
  );
}
