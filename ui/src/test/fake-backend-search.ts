/** The search of the fake backend: matches prefixes of words. */
import type { Family } from "./families";
import type { components } from "../api/generated/schema";

type Schemas = components["schemas"];

/** Answers one session per page, so that every search has several pages. The cursor is the session's index. */
export function answerSearch(
  { sessions }: Family,
  childId: number,
  { words, after = "0" }: Schemas["SearchRequest"],
): Schemas["SearchPage"] {
  const own = sessions.filter((session) => session.child_id === childId);
  const session = own[Number(after)];
  if (session === undefined) return { matches: [] };
  const pattern = new RegExp(String.raw`\b(?:${words.trim().split(/\s+/u).join("|")})`, "giu");
  const find = (text = "") => [...text.matchAll(pattern)];
  const { session_id, topic, start_time } = session;
  const matches = [...session.messages].reverse().flatMap((message): Schemas["SearchMatch"][] => {
    const versions = [{ ...message, until: undefined }, ...(message.earlier ?? [])];
    const version = versions.find((it) => find(it.text_content).length > 0);
    if (version === undefined) return [];
    const { source, text_content, until } = version;
    const found = find(text_content);
    const { message_id, timestamp, kind } = message;
    const ranges = found.map(({ index, 0: { length } }) => [index, index + length]);
    return [
      {
        session_id,
        message_id,
        timestamp,
        ranges,
        ...(topic !== undefined && { topic }),
        date: start_time ?? timestamp,
        ...(start_time !== undefined && { start_time }),
        ...(source !== undefined && { source }),
        ...(text_content !== undefined && { text_content }),
        ...(kind !== undefined && { kind }),
        ...(until !== undefined && { until }),
      },
    ];
  });
  const next = Number(after) + 1;
  if (next >= own.length) return { matches };
  return { matches, next: String(next), searched_back_to: start_time ?? new Date(0).toISOString() };
}

/** The number of messages before the requested page, as a cursor. */
export function firstAround(messages: readonly Schemas["Message"][], query: URLSearchParams): string {
  const limit = Number(query.get("limit") ?? 50);
  const [around, before] = [query.get("around"), query.get("before")];
  const middle = messages.findIndex(({ message_id }) => message_id === around);
  if (around !== null) return String(Math.max(0, middle - Math.floor(limit / 2)));
  if (before !== null) return String(Math.max(0, Number(before) - limit));
  return query.get("after") ?? "0";
}
