import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type ReactNode, useId } from "react";

import { Columns } from "./Columns";
import {
  type Chart,
  REST,
  WEEKDAYS,
  averageByDay,
  hoursOf,
  interruptedPercent,
  interruptionsByWeek,
  lengths,
  minutesByDay,
  moodsByWeek,
  topMost,
  topicsByWeek,
  weeklyHour,
  withNames,
  withValue,
} from "./series";
import { WeekGrid } from "./WeekGrid";
import { useScrolls } from "../ui/scrolls";
import { Section } from "../ui/Section";
import { Disclosure } from "../ui/Disclosure";
import type { components } from "../api/generated/schema";
import { hourName, weekdayName } from "../format/dates";
import { inWords } from "../format/durations";
import { isolated } from "../format/isolated";
import { pageLocale } from "../format/locale";
import { countConversations } from "../format/retention";
import { inPagesLanguage } from "../ui/language";

type Metrics = components["schemas"]["Metrics"];

const minutes = (value: number) => inWords(value * 60);
const percentOf = (value: number) =>
  (Math.round(value) / 100).toLocaleString(pageLocale(), { style: "percent" });
const percent = (value: number) => t`${{ percent: percentOf(value) }} of answers`;

export function Charts({ name: childName, metrics }: { name: string; metrics: Metrics }) {
  const name = isolated(childName);
  const days = minutesByDay(metrics);
  const topics = topicsByWeek(metrics);
  const moods = moodsByWeek(metrics);
  const interruptions = interruptionsByWeek(metrics);
  const byLength = lengths(metrics);
  const hours = hoursOf(metrics);
  const average = averageByDay(metrics);
  const time = inWords(average.seconds);
  return (
    <div className="grid items-start gap-x-10 gap-y-8 wide:grid-cols-2">
      {hasValues(days) && (
        <Figure
          title={
            average.since === null
              ? t`${name} talked for ${time} a day`
              : t`${name} talked for ${time} a day since ${{ date: average.since }}`
          }
          aside={t`Minutes of each day`}
          table={<ChartTable head={t`Day`} chart={days} say={minutes} />}
        >
          <Columns label={t`Minutes of each day`} unit={t`Minutes`} chart={days} say={minutes} />
        </Figure>
      )}
      {hours.some(({ seconds }) => seconds > 0) && (
        <Figure
          title={busiest(metrics)}
          aside={t`Minutes in each hour of the week, added up`}
          table={<HoursTable metrics={metrics} />}
        >
          <WeekGrid label={t`Minutes in each hour of the week, added up`} hours={hours} />
        </Figure>
      )}
      {hasValues(topics) && (
        <Figure
          title={topicsTitle(metrics)}
          aside={t`Minutes of each week by topic`}
          table={<ChartTable head={t`Week`} chart={topics} say={minutes} />}
        >
          <Columns label={t`Minutes of each week by topic`} unit={t`Minutes`} chart={topics} say={minutes} />
          <Legend series={topics.series} />
        </Figure>
      )}
      {hasValues(moods) && (
        <Figure
          title={withNames(
            (names) => t`Most often ${{ names }}`,
            topMost(metrics.moods, ({ mood, sessions }) => [mood, sessions]),
            t`Moods the assistant noted`,
          )}
          aside={t`Conversations of each week by mood`}
          table={<ChartTable head={t`Week`} chart={moods} say={countConversations} />}
        >
          <Columns
            label={t`Conversations of each week by mood`}
            unit={t`Conversations`}
            chart={moods}
            say={countConversations}
          />
          <Legend series={moods.series} />
        </Figure>
      )}
      {hasValues(byLength) && (
        <Figure
          title={lengthTitle(byLength)}
          aside={t`Conversations by length`}
          table={<ChartTable head={t`Length`} chart={byLength} say={countConversations} />}
        >
          <Columns
            label={t`Conversations by length`}
            unit={t`Conversations`}
            chart={byLength}
            say={countConversations}
          />
        </Figure>
      )}
      {hasValues(interruptions) && (
        <Figure
          title={t`${{ percent: percentOf(interruptedPercent(metrics.days)) }} of answers were interrupted`}
          aside={t`Interrupted answers in percent, by week`}
          table={<ChartTable head={t`Week`} chart={interruptions} say={percent} />}
        >
          <Columns
            label={t`Interrupted answers in percent, by week`}
            unit={t`% of answers`}
            chart={interruptions}
            say={percent}
          />
        </Figure>
      )}
    </div>
  );
}

function hasValues({ columns }: Chart): boolean {
  return columns.some(({ values }) => values.some((value) => value > 0));
}

function topicsTitle({ topics }: Metrics): string {
  return withNames(
    (names) => t`Longest about ${{ topics: names }}`,
    topMost(topics, (topic) => [topic.topic, topic.seconds]),
    t`What it was about`,
  );
}

function busiest(metrics: Metrics): string {
  const hours = topMost(hoursOf(metrics), ({ weekday, hour, seconds }) => [
    weeklyHour(weekday, hour),
    seconds,
  ]);
  return withNames((times) => t`Longest on ${times}`, hours, t`When there were conversations`);
}

function lengthTitle(chart: Chart): string {
  const longest = topMost(chart.columns, ({ name, values }) => [name, values[0] ?? 0]);
  return withNames((names) => t`Most often ${{ names }}`, longest, t`How long conversations are`);
}

interface FigureProps {
  title: string;
  aside: string;
  table: ReactNode;
  children: ReactNode;
}

function Figure({ title, aside, table, children }: FigureProps) {
  const id = useId();
  return (
    <Section
      heading={title}
      id={id}
      about={aside}
      className="flex min-w-0 flex-col gap-2 print:break-inside-avoid"
    >
      <div className="rounded-surface border border-line bg-surface p-3 sm:p-4">{children}</div>
      <Disclosure summary={t`As a table`} summaryClassName="text-muted" className="text-sm print:hidden">
        <ScrollingTable labelledBy={id}>{table}</ScrollingTable>
      </Disclosure>
    </Section>
  );
}

/** A table that can be scrolled by keyboard if it is wider than the page. */
function ScrollingTable({ labelledBy, children }: { labelledBy: string; children: ReactNode }) {
  const { ref, tabIndex } = useScrolls();
  return (
    <div ref={ref} className="overflow-x-auto" role="group" aria-labelledby={labelledBy} tabIndex={tabIndex}>
      {children}
    </div>
  );
}

function Legend({ series }: Pick<Chart, "series">) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 pt-1 text-sm">
      {series.map((name, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two series may have the same name
        <li key={index} className="inline-flex items-center gap-1.5 [overflow-wrap:anywhere]">
          <svg width="14" height="14" aria-hidden="true" className="shrink-0">
            <rect x="1" y="1" width="12" height="12" rx="2" className={`chart-${index}`} />
          </svg>
          <bdi className={name === REST ? "text-muted" : ""}>{inPagesLanguage(name)}</bdi>
        </li>
      ))}
    </ul>
  );
}

interface ChartTableProps {
  head: string;
  chart: Chart;
  say: (value: number) => string;
}

const CELL = "border-b border-line px-2 py-1.5 text-start align-top";

function ChartTable({ head, chart: { series, columns }, say }: ChartTableProps) {
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr>
          {[head, ...series].map((name, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two series may have the same name
            <th key={index} scope="col" className={CELL}>
              <bdi>{inPagesLanguage(name)}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {columns.map(({ name, values }) => (
          <tr key={name}>
            <th scope="row" className={`${CELL} font-normal`}>
              {name}
            </th>
            {values.map((value, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- two series may have the same name
              <td key={index} className={`${CELL} tabular-nums`}>
                {say(value)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function HoursTable({ metrics }: { metrics: Metrics }) {
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr>
          <th scope="col" className={CELL}>
            <Trans>Day</Trans>
          </th>
          <th scope="col" className={CELL}>
            <Trans>Hours with conversations</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {WEEKDAYS.map((weekday) => {
          const hours = hoursOf(metrics).filter((it) => it.weekday === weekday && it.seconds > 0);
          return (
            <tr key={weekday}>
              <th scope="row" className={`${CELL} font-normal`}>
                {weekdayName(weekday)}
              </th>
              <td className={`${CELL} tabular-nums`}>
                {hours.length === 0
                  ? t({ message: "none", context: "hours" })
                  : hours.map(({ hour, seconds }) => withValue(hourName(hour), inWords(seconds))).join(", ")}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
