import type { components } from "../api/generated/schema";

type DayMetrics = components["schemas"]["DayMetrics"];

/** Metrics of a day; zero unless given. */
export function day(date: string, more: Partial<DayMetrics> = {}): DayMetrics {
  return {
    date,
    seconds: 0,
    sessions: 0,
    messages_of_assistant: 0,
    interruptions: 0,
    topics: [],
    moods: [],
    ...more,
  };
}
