/** Metrics of the fake backend, computed from sessions, in UTC. */
import type { Family, FakeSession } from "./families";
import type { components } from "../api/generated/schema";
import { addDays, mondayOf, weekdayOf } from "../format/days";

type Schemas = components["schemas"];
type Metrics = Schemas["Metrics"];

const EDGES = [0, 2, 5, 10, 20, 40] as const;

interface Measured {
  session: FakeSession;
  begin: number;
  seconds: number;
  mood: string | undefined;
}

export function answerMetrics(family: Family, childId: number, query: URLSearchParams): Metrics {
  const to = query.get("to") ?? new Date().toISOString().slice(0, 10);
  const from = query.get("from") ?? addDays(mondayOf(to), -7);
  const all = measured(family, childId).filter(({ begin }) => isBetween(dayOf(begin), from, to));
  const dates: string[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date);
  const week = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  for (const { begin, seconds } of all) {
    const hours = week[weekdayOf(dayOf(begin))] ?? [];
    const hour = new Date(begin).getUTCHours();
    hours[hour] = (hours[hour] ?? 0) + seconds;
  }
  return {
    time_zone: "Etc/UTC",
    from,
    to,
    days: dates.map((date) => oneDay(date, all)),
    week,
    lengths: EDGES.map((edge, index) => {
      const end = EDGES[index + 1];
      const fits = ({ seconds }: Measured) => seconds >= edge * 60 && seconds < (end ?? Infinity) * 60;
      return {
        from_minutes: edge,
        ...(end !== undefined && { to_minutes: end }),
        sessions: all.filter(fits).length,
      };
    }),
    topics: topicsOf(all).map(([topic, of]) => ({
      topic,
      sessions: of.length,
      seconds: sum(of),
      newest: of.slice(0, 20).map(({ session, begin }) => ({
        session_id: session.session_id,
        date: new Date(begin).toISOString(),
      })),
    })),
    moods: moodsOf(all),
  };
}

function measured(family: Family, childId: number): Measured[] {
  const moods = new Map(
    (family.completed.get(childId) ?? []).map((it) => [it.session_id, it.mood ?? undefined]),
  );
  const own = family.sessions.filter((session) => session.child_id === childId);
  return own.map((session) => {
    const times = session.messages.map(({ timestamp }) => Date.parse(timestamp));
    const begin = Date.parse(session.start_time ?? "") || (times[0] ?? Date.now());
    const seconds = Math.max(0, Math.round(((times.at(-1) ?? begin) - begin) / 1000));
    return { session, begin, seconds, mood: moods.get(session.session_id) };
  });
}

function oneDay(day: string, all: readonly Measured[]): Schemas["DayMetrics"] {
  const own = all.filter(({ begin }) => dayOf(begin) === day);
  const spoken = own
    .flatMap(({ session }) => session.messages)
    .filter(({ source }) => source === "assistant");
  return {
    day,
    seconds: sum(own),
    sessions: own.length,
    messages_of_assistant: spoken.length,
    interruptions: spoken.filter(({ interrupted }) => interrupted).length,
    topics: topicsOf(own).map(([topic, of]) => ({ topic, sessions: of.length, seconds: sum(of) })),
    moods: moodsOf(own),
  };
}

function topicsOf(all: readonly Measured[]): [string, Measured[]][] {
  const named = all.filter(({ session }) => (session.topic ?? "").trim() !== "");
  const topics = new Map<string, Measured[]>();
  for (const one of named) {
    const topic = one.session.topic ?? "";
    topics.set(topic, [...(topics.get(topic) ?? []), one]);
  }
  return [...topics].sort(([, one], [, other]) => sum(other) - sum(one));
}

function moodsOf(all: readonly Measured[]): Schemas["MoodCount"][] {
  const moods = new Map<string, number>();
  for (const { mood } of all) if (mood !== undefined) moods.set(mood, (moods.get(mood) ?? 0) + 1);
  return [...moods]
    .map(([mood, sessions]) => ({ mood, sessions }))
    .sort((one, other) => other.sessions - one.sessions);
}

function sum(all: readonly Measured[]): number {
  return all.reduce((total, { seconds }) => total + seconds, 0);
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

function isBetween(day: string, from: string, to: string): boolean {
  return from <= day && day <= to;
}
