/** Days of the calendar as the server writes them: `2026-11-23`. They are of no time zone. */

const DAY_MS = 86_400_000;

function midnight(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** The day so many days later; earlier if it is negative. */
export function addDays(day: string, days: number): string {
  return new Date(midnight(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The day of the week: 0 is Monday. */
export function weekdayOf(day: string): number {
  return (new Date(midnight(day)).getUTCDay() + 6) % 7;
}

/** The Monday of the day's week. */
export function mondayOf(day: string): string {
  return addDays(day, -weekdayOf(day));
}
