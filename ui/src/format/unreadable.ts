const many = { message: "messages", session: "sessions", activity: "activities" } as const;

/** The sentence for the rows that a list lacks because they could not be read; null if it lacks none. */
export function unreadableSentence(count: number, kind: keyof typeof many): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? kind : many[kind]} could not be read`;
}
