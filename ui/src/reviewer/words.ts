/** The sentences about a model that reads a child's conversations. */
import type { components } from "../api/generated/schema";
import { authorInSentence, authorName } from "../children/author";
import { atRelativeTime, shortDate, shortDateAndTime } from "../format/dates";

type Schemas = components["schemas"];

export type Reviewer = Schemas["Reviewer"];
export type Figures = Schemas["ReviewerFigures"];

/** More false alarms in an ordinary week are too many. */
const MOST_FALSE_ALARMS = 2;

/** When a reader outside of the home begins. */
export const AFTER_EVERYBODY =
  "It begins once every other guardian has agreed, or was shown this page for seven days.";

export function stateHeading({ state }: Reviewer): string {
  switch (state) {
    case "unavailable":
      return "Not set up on this server";
    case "untested":
      return "Off. The model was not tested yet";
    case "off":
      return "Off";
    case "waiting":
      return "Waiting for every guardian";
    case "on":
      return "On";
  }
}

/** The state in one line, for App Settings. */
export function readerLine(reviewer: Reviewer, now: Date): string {
  const { state, at, confirmed, due_at: dueAt } = reviewer;
  if (state === "untested") return "Off";
  if (state === "waiting") {
    if (confirmed !== true) return "Waits for your answer";
    return dueAt === undefined
      ? "Waits for the other guardians"
      : `Waits for the other guardians, until ${shortDate(dueAt, now)}`;
  }
  return state === "on" && at !== undefined ? `On since ${shortDate(at, now)}` : stateHeading(reviewer);
}

/** Who switched it on and when, and when it begins. Empty while it is off. */
export function stateSentences(reviewer: Reviewer, now: Date): readonly string[] {
  const { state, at, by, confirmed, due_at: dueAt } = reviewer;
  if (at === undefined || (state !== "waiting" && state !== "on")) return [];
  if (state === "on") return [`Switched on by ${authorInSentence(by)}, ${atRelativeTime(at, now)}.`];
  const who = by === undefined ? "A former guardian" : authorName(by);
  const agreed = confirmed === true && by?.is_you !== true ? ["You agreed to it."] : [];
  return [
    `${who} ${by?.is_you === true ? "want" : "wants"} it, since ${shortDateAndTime(at, now)}.`,
    ...agreed,
    "Nothing is sent yet.",
    whenItBegins(dueAt, now),
  ];
}

function whenItBegins(dueAt: string | undefined, now: Date): string {
  if (dueAt === undefined) return AFTER_EVERYBODY;
  if (new Date(dueAt) <= now) return "It is about to begin.";
  return `It begins ${atRelativeTime(dueAt, now)}, or once every guardian has agreed, unless one of them switches it off.`;
}

export function notReviewedSentence(count: number): string | null {
  if (count === 0) return null;
  return count === 1
    ? "1 conversation was not reviewed."
    : `${count.toLocaleString("en-US")} conversations were not reviewed.`;
}

/** Whether to rely on it, by its test: what it found of everything that was to be found, and how often it was wrong. */
export function verdict(figures: Figures): string {
  const { found, all } = totals(figures);
  const places = `${found.toLocaleString("en-US")} of ${all.toLocaleString("en-US")} places`;
  return figures.unfit
    ? `${reasonOfUnfit(figures)} Don't rely on it.`
    : `In its test it pointed at ${places} that it should find, with ${falseAlarms(figures)} in an ordinary week.`;
}

function reasonOfUnfit(figures: Figures): string {
  const { found, all } = totals(figures);
  if (all > 0 && found === 0)
    return `In its test it pointed at none of the ${all.toLocaleString("en-US")} places it should have.`;
  if (found * 2 < all)
    return `In its test it pointed at only ${found.toLocaleString("en-US")} of the ${all.toLocaleString("en-US")} places it should have.`;
  if (figures.false_alarms_a_week > MOST_FALSE_ALARMS)
    return `In its test it raised ${falseAlarms(figures)} in an ordinary week.`;
  return "Its test was not complete.";
}

function falseAlarms({ false_alarms_a_week: weekly }: Figures): string {
  const number = oneDecimal(weekly);
  return `${number} false ${number === "1" ? "alarm" : "alarms"}`;
}

function totals({ concerns }: Figures) {
  const sum = (of: (figures: Figures["concerns"][number]) => number) =>
    concerns.reduce((total, figures) => total + of(figures), 0);
  return { found: sum(({ found }) => found), all: sum(({ found, missed }) => found + missed) };
}

export function oneDecimal(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 1 });
}
