/** A child's month of birth, as it is typed and told. */
import { t } from "@lingui/core/macro";

import { dateFormat } from "./locale";

/** The earliest year that can be chosen is this many years ago. */
const MOST_YEARS = 25;

/** What two selects hold: the month's and the year's digits, or nothing. */
export interface TypedMonth {
  month: string;
  year: string;
}

export const NO_MONTH: TypedMonth = { month: "", year: "" };

export type ReadMonth =
  { kind: "none" } | { kind: "month"; born: string } | { kind: "refused"; sentence: string };

/** The month that was chosen, or why it can't be. */
export function readMonth({ month, year }: TypedMonth, today: Date): ReadMonth {
  if (month === "" && year === "") return { kind: "none" };
  if (month === "" || year === "")
    return { kind: "refused", sentence: t`Please choose the month and the year.` };
  const born = `${year}-${month}`;
  if (born > monthOf(today)) {
    return { kind: "refused", sentence: t`The month of birth can't be in the future.` };
  }
  // Only the first months of the earliest year are too long ago.
  if (born < monthOf(new Date(today.getFullYear() - MOST_YEARS, today.getMonth()))) {
    return { kind: "refused", sentence: t`The month of birth can be at most ${MOST_YEARS} years ago.` };
  }
  return { kind: "month", born };
}

/** `2018-05` in two parts. */
export function typedMonth(born: string | undefined): TypedMonth {
  const [year = "", month = ""] = born?.split("-") ?? [];
  return { month, year };
}

/** The age in years: a new one begins with the month of the birthday. */
export function ageOn(born: string, today: Date): number {
  const { month, year } = typedMonth(born);
  const years = today.getFullYear() - Number(year);
  return today.getMonth() + 1 < Number(month) ? years - 1 : years;
}

/** The years that can be chosen, newest first; also the one that is stored. */
export function birthYears(today: Date, stored: string): readonly string[] {
  const years = Array.from({ length: MOST_YEARS + 1 }, (_, ago) => String(today.getFullYear() - ago));
  return stored === "" || years.includes(stored) ? years : [...years, stored];
}

/** The value and the name of each month. */
export function birthMonths(): readonly { value: string; name: string }[] {
  const monthName = dateFormat({ month: "long", timeZone: "UTC" });
  return Array.from({ length: 12 }, (_, index) => ({
    value: twoDigits(index + 1),
    name: monthName.format(Date.UTC(2018, index)),
  }));
}

function monthOf(day: Date): string {
  return `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
