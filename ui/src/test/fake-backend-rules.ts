/** Times, receipts and the history of the fake backend. */
import { HttpResponse } from "msw";

import { problem } from "./fake-problem";
import type { components } from "../api/generated/schema";

type Schemas = components["schemas"];

export interface FakeRules {
  times: Schemas["Schedule"];
  guardians: number;
  /** Incremented by each change of the times; the ETag contains it. */
  version: number;
  talk: Schemas["Rules"]["talk"];
  secondsUsed: number;
  receipts: Schemas["Receipts"];
  /** The assistants that haven't fetched a pause. */
  unconfirmed: string[];
  /** Whether conversations in progress continue through a pause. */
  talksOn: boolean;
  pausedBy: Schemas["Author"];
  /** By session; sessions without receipts are absent. */
  sessionReceipts: Map<number, Schemas["SessionReceipts"]>;
  /** Newest first. */
  history: Schemas["Page_HistoryEntry"]["items"];
  /** The error message of the next change of the times; null if it succeeds. */
  failing: string | null;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function ago(time: number): string {
  return new Date(Date.now() - time).toISOString();
}

export function rulesOf(more: Partial<FakeRules> = {}): FakeRules {
  return {
    times: { time_zone: "Europe/Berlin", quiet_hours: [] },
    guardians: 1,
    version: 1,
    talk: { allowed: true },
    secondsUsed: 0,
    receipts: { number: 1, topics_number: 1, assistants: [] },
    unconfirmed: [],
    talksOn: false,
    pausedBy: { is_you: true },
    sessionReceipts: new Map(),
    history: [],
    failing: null,
    ...more,
  };
}

export function rulesOfMia(): FakeRules {
  const [list, olderList] = [ago(3 * DAY), ago(9 * DAY)];
  return rulesOf({
    guardians: 2,
    times: {
      time_zone: "Europe/Berlin",
      quiet_hours: [
        { days: ["mon", "tue", "wed", "thu", "sun"], from: "20:30", to: "07:00" },
        { days: ["sat", "sun"], from: "12:30", to: "14:00" },
      ],
      minutes_a_day: 60,
    },
    talk: { allowed: true, until: ago(-2 * 60 * MINUTE), seconds_left: 2020 },
    secondsUsed: 1580,
    receipts: {
      number: 7,
      topics_number: 5,
      topics_since: list,
      assistants: [
        {
          name: "Kitchen",
          kind: "following",
          evidence: "in_prompt",
          since: ago(40 * MINUTE),
          heard_at: ago(MINUTE),
        },
        { name: "Mia's room", kind: "following", evidence: "set", since: ago(2 * DAY) },
        { name: "Car", kind: "older", topics_since: olderList, heard_at: ago(5 * 60 * MINUTE) },
        { name: "Robot", kind: "refused", reason: "too long for its model" },
        { name: "Tablet", kind: "asked", since: ago(DAY) },
        { name: "Grandma's speaker", kind: "silent" },
      ],
    },
    sessionReceipts: new Map([
      [
        101,
        {
          assistant: "Kitchen",
          items: [
            { number: 4, evidence: "in_prompt", at: ago(25 * MINUTE), topics_since: olderList },
            { number: 5, evidence: "in_prompt", at: ago(20 * MINUTE), topics_since: list },
          ],
        },
      ],
      [
        102,
        {
          assistant: "Robot",
          items: [{ number: 5, evidence: "fetched", at: ago(DAY), refused: "too long for its model" }],
        },
      ],
    ]),
    history: Array.from({ length: 23 }, (_, index): FakeRules["history"][number] => ({
      at: ago(index * DAY + 30 * MINUTE),
      what:
        (
          [
            "paused",
            "pause_ended",
            "blocked_topics",
            "context",
            "quiet_hours",
            "minutes_a_day",
            "time_zone",
          ] as const
        )[index % 7] ?? "context",
      ...(index % 5 !== 4 && { by: index % 3 === 1 ? { is_you: false, name: "Ben" } : { is_you: true } }),
    })),
  });
}

export function answerTimes({ times, guardians, version }: FakeRules): Response {
  return HttpResponse.json(times, {
    headers: { ETag: `"${version}"`, "Porchlight-Guardians": String(guardians) },
  });
}

/** Simulates a change by another guardian. */
export function changeTimesElsewhere(rules: FakeRules, times: Schemas["Schedule"]): void {
  rules.times = times;
  rules.version += 1;
}

export function answerReplacingTimes(
  rules: FakeRules,
  times: Schemas["Schedule"],
  expected: string | null,
): Response {
  if (rules.failing !== null) return problem(503, "storage_unavailable", rules.failing);
  if (expected !== null && expected !== `"${rules.version}"`)
    return problem(
      412,
      "schedule_changed",
      "The times were changed meanwhile. Please look at them again and repeat your change.",
    );
  changeTimesElsewhere(rules, times);
  rules.talk =
    times.pause === undefined ? { allowed: true } : { allowed: false, why: "paused", ...times.pause };
  return HttpResponse.json(times, { headers: { ETag: `"${rules.version}"` } });
}

/** A page of the history; the cursor is the number of entries before it. */
export function answerHistory({ history }: FakeRules, query: URLSearchParams): Schemas["Page_HistoryEntry"] {
  const start = Number(query.get("before") ?? 0);
  const end = start + Number(query.get("limit") ?? 50);
  return { items: history.slice(start, end), ...(end < history.length && { next: String(end) }) };
}
