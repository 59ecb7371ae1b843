const many = {
  message: "messages",
  session: "sessions",
  activity: "activities",
  alert: "alerts",
  day: "days",
  record: "records",
} as const;

/** The message about rows that could not be read; null if there are none. */
export function unreadableSentence(count: number, kind: keyof typeof many): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? kind : many[kind]} could not be read`;
}
