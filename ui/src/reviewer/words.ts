/** The sentences about a model that reads a child's conversations. */
import { plural, t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";
import { askedBy } from "../children/author";
import { takesEffect } from "../children/child-request";
import { shortDate } from "../format/dates";
import { pageLocale } from "../format/locale";

type Schemas = components["schemas"];

export type Reviewer = Schemas["Reviewer"];
export type Figures = Schemas["ReviewerFigures"];

/** More false alarms in an ordinary week are too many. */
const MOST_FALSE_ALARMS = 2;

/** When a reader outside of the home begins. */
export function afterEverybody(): string {
  return t`It begins once every other guardian has agreed, or was shown this page for seven days.`;
}

export function stateHeading({ state, confirmed }: Reviewer): string {
  switch (state) {
    case "unavailable":
    case "untested":
    case "off":
      return t`Off`;
    case "waiting":
      return confirmed === true ? t`Waits for the other guardians` : t`Waits for your answer`;
    case "on":
      return t`On`;
  }
}

/** The state in one line, for App Settings. */
export function readerLine(reviewer: Reviewer, now: Date): string {
  const { state, since } = reviewer;
  return state === "on" && since !== undefined
    ? t`On since ${{ date: shortDate(since, now) }}`
    : stateHeading(reviewer);
}

/** Who switched it on and when, and when it begins. Empty while it is off. */
export function stateSentences(reviewer: Reviewer, now: Date): readonly string[] {
  const { state, since, by, due_at: dueAt } = reviewer;
  if (since === undefined || (state !== "waiting" && state !== "on")) return [];
  const asked = askedBy(by, since, now);
  return state === "on" ? [asked] : [asked, t`Nothing is sent yet.`, whenItBegins(dueAt, now)];
}

function whenItBegins(dueAt: string | undefined, now: Date): string {
  if (dueAt === undefined) return afterEverybody();
  return takesEffect(dueAt, now);
}

export function notReviewedSentence(count: number): string {
  return plural(count, {
    one: "# conversation was not reviewed.",
    other: "# conversations were not reviewed.",
  });
}

/** Whether to rely on it, by its test: what it found of everything that was to be found, and how often it was wrong. */
export function verdict(figures: Figures): string {
  if (figures.unfit) return `${reasonOfUnfit(figures)} ${t`Don't rely on it.`}`;
  const { found, all } = shownTotals(figures);
  return plural(
    { alarms: toOneDecimal(figures.false_alarms_a_week) },
    {
      one: `In its test it pointed at ${found} of ${all} places that it should find, with # false alarm in an ordinary week.`,
      other: `In its test it pointed at ${found} of ${all} places that it should find, with # false alarms in an ordinary week.`,
    },
  );
}

function reasonOfUnfit(figures: Figures): string {
  const { found: foundCount, all: allCount } = totals(figures);
  const { found, all } = shownTotals(figures);
  if (allCount > 0 && foundCount === 0)
    return t`In its test it pointed at none of the ${all} places it should have.`;
  if (foundCount * 2 < allCount)
    return t`In its test it pointed at only ${found} of the ${all} places it should have.`;
  if (figures.false_alarms_a_week > MOST_FALSE_ALARMS)
    return plural(
      { alarms: toOneDecimal(figures.false_alarms_a_week) },
      {
        one: "In its test it raised # false alarm in an ordinary week.",
        other: "In its test it raised # false alarms in an ordinary week.",
      },
    );
  return t`Its test was not complete.`;
}

function shownTotals(figures: Figures) {
  const { found, all } = totals(figures);
  return { found: found.toLocaleString(pageLocale()), all: all.toLocaleString(pageLocale()) };
}

function toOneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}

function totals({ concerns }: Figures) {
  const sum = (of: (figures: Figures["concerns"][number]) => number) =>
    concerns.reduce((total, figures) => total + of(figures), 0);
  return { found: sum(({ found }) => found), all: sum(({ found, missed }) => found + missed) };
}

export function oneDecimal(value: number): string {
  return value.toLocaleString(pageLocale(), { maximumFractionDigits: 1 });
}
