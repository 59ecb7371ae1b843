/** The specification's texts for a missing or invalid date of an activity and of a session. */
const INVALID = "Invalid Date";
const UNKNOWN = "Unknown date";

const activityDay = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  year: "numeric",
  timeZone: "UTC",
});

/** An activity's date: US English, short month, numeric day and year, in UTC. */
export function activityDate(value: string | null | undefined): string {
  const date = parse(value);
  return date === null ? INVALID : activityDay.format(date);
}

/** A session's date in the viewer's locale and time zone. */
export function sessionDate(value: string | null | undefined): string {
  return parse(value)?.toLocaleDateString() ?? UNKNOWN;
}

/** The time of day in the viewer's locale and time zone; empty if it is invalid. */
export function timeOfDay(value: string): string {
  return parse(value)?.toLocaleTimeString(undefined, { hour: "numeric", minute: "2-digit" }) ?? "";
}

/** The weekday, date and time in the viewer's locale and time zone; empty if it is invalid. */
export function dayAndTime(value: string): string {
  const date = parse(value);
  if (date === null) return "";
  const day = date.toLocaleDateString(undefined, { weekday: "long", day: "numeric", month: "long" });
  return `${day}, ${timeOfDay(value)}`;
}

/** 'Today' or 'Yesterday' in the viewer's time zone; empty on other days. */
export function relativeDay(value: string, now: Date): string {
  const day = parse(value)?.toDateString();
  if (day === now.toDateString()) return "Today";
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return day === yesterday.toDateString() ? "Yesterday" : "";
}

/** Whether two times are on the same day in the viewer's time zone. */
export function sameDay(one: string, other: string): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

function parse(value: string | null | undefined): Date | null {
  if (value === null || value === undefined || value === "") return null;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : date;
}
