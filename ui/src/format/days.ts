/** Calendar days, `2026-11-23`, without a time zone. */

const DAY_MS = 86_400_000;

function midnight(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

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
