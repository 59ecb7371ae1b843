import type { components } from "../api/generated/schema";

type DayMetrics = components["schemas"]["DayMetrics"];

/** The metrics of a day. Values that aren't given are zero. */
export function day(date: string, more: Partial<DayMetrics> = {}): DayMetrics {
  return {
    day: date,
    seconds: 0,
    sessions: 0,
    messages_of_assistant: 0,
    interruptions: 0,
    topics: [],
    moods: [],
    ...more,
  };
}
