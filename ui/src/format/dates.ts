/** The specification's words for a date that is missing or can't be read, in activities and in sessions. */
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

/** A session's date, as the viewer's own locale and time zone write it. */
export function sessionDate(value: string | null | undefined): string {
  return parse(value)?.toLocaleDateString() ?? UNKNOWN;
}

/** The time of day, as the viewer's own locale and time zone write it; empty when it can't be read. */
export function timeOfDay(value: string): string {
  return parse(value)?.toLocaleTimeString(undefined, { hour: "numeric", minute: "2-digit" }) ?? "";
}

/** Day and time of day in words, for where a conversation starts or goes on another day. */
export function dayAndTime(value: string): string {
  const date = parse(value);
  if (date === null) return "";
  const day = date.toLocaleDateString(undefined, { weekday: "long", day: "numeric", month: "long" });
  return `${day}, ${timeOfDay(value)}`;
}

/** 'Today' or 'Yesterday' where the viewer is; empty on other days. */
export function relativeDay(value: string, now: Date): string {
  const day = parse(value)?.toDateString();
  if (day === now.toDateString()) return "Today";
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return day === yesterday.toDateString() ? "Yesterday" : "";
}

/** Whether two moments fall on the same day where the viewer is. */
export function sameDay(one: string, other: string): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

function parse(value: string | null | undefined): Date | null {
  if (value === null || value === undefined || value === "") return null;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : date;
}
