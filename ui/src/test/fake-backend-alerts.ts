/** Alerts and watched phrases of the fake backend. */
import { type HttpHandler, HttpResponse } from "msw";

import { type ForGuardian, misbehaviour } from "./fake-call";
import type { Family } from "./families";
import { problem } from "./fake-problem";
import type { components } from "../api/generated/schema";

type Schemas = components["schemas"];
type Alert = Schemas["Alert"];
type Phrase = Schemas["WatchedPhrase"];

/** A guardian's alerts and phrases about a child. */
export interface FakeAlerts {
  /** Newest first. */
  alerts: Alert[];
  phrases: Phrase[];
  /** The concerns that the guardian finds not worrying. */
  notWorrying: Set<Schemas["Concern"]>;
  /** The single alerts that the guardian finds not worrying. */
  notWorryingAlerts: Set<number>;
  /** The alerts that the guardian has dealt with. */
  dealtWith: Set<number>;
  /** Incremented by each change; the ETag contains it. */
  version: number;
}

const MINUTE = 60_000;

export function alertsOf(...alerts: Alert[]): FakeAlerts {
  return {
    alerts,
    phrases: [],
    notWorrying: new Set(),
    notWorryingAlerts: new Set(),
    dealtWith: new Set(),
    version: 1,
  };
}

/** An unseen alert about "our secret", some minutes ago. */
export function phraseAlert(id: number, minutesAgo: number, changed: Partial<Alert> = {}): Alert {
  return {
    alert_id: id,
    kind: "phrase",
    ...ago(minutesAgo),
    unseen: true,
    dealt_with: false,
    count: 1,
    session_id: 101,
    assistant: "Kitchen",
    message_id: "101-1",
    phrase: { words: "our secret", side: "either" },
    source: "assistant",
    text_content: "This stays our secret, okay?",
    ranges: [[11, 21]],
    before: { source: "child", text_content: "Can I tell Grandma?" },
    after: { source: "child", text_content: "Okay." },
    ...changed,
  };
}

/** An unseen alert about what a model pointed at, some minutes ago. */
export function reviewerAlert(id: number, minutesAgo: number, changed: Partial<Alert> = {}): Alert {
  const { phrase: _, ...words } = phraseAlert(id, minutesAgo);
  return {
    ...words,
    kind: "reviewer",
    flagged: { concern: "stranger", severity: "look", model: "llama3.1:8b", not_worrying: false },
    ...changed,
  };
}

function timeIn(minutes: number): string {
  return new Date(Date.now() + minutes * MINUTE).toISOString();
}

function ago(minutes: number) {
  return { at: timeIn(-minutes), arrived_at: timeIn(-minutes) };
}

/** Newest first; also about a corrected message, a deleted conversation, and with Arabic words. */
export function alertsOfEachKind(): Alert[] {
  const { text_content: _, before: __, after: ___, ranges: ____, ...wordless } = phraseAlert(0, 0);
  const { phrase: _____, message_id: ______, ...plumbing } = wordless;
  return [
    phraseAlert(6, 5, { count: 3 }),
    { ...plumbing, alert_id: 5, kind: "not_kept", count: 2, ...ago(30) },
    { ...plumbing, alert_id: 4, kind: "rules", ...ago(90) },
    phraseAlert(3, 2000, { corrected: true, text_content: "This stays our sea crate.", ranges: [] }),
    {
      ...wordless,
      ...ago(3000),
      alert_id: 2,
      unseen: false,
      deleted_by: { is_you: false, name: "Ada" },
      restorable_until: timeIn(9000),
    },
    phraseAlert(1, 5000, {
      unseen: false,
      phrase: { words: "سرنا", side: "child" },
      text_content: "هل هذا سرنا؟",
      ranges: [[7, 11]],
      source: "child",
    }),
  ];
}

export function alertsIn({ alerts }: Family, childId: number): FakeAlerts {
  const known = alerts.get(childId) ?? alertsOf();
  alerts.set(childId, known);
  return known;
}

/** The cursor is the number of alerts before it. */
function answerAlerts(known: FakeAlerts, query: URLSearchParams): Schemas["AlertPage"] {
  const alerts = known.alerts.map((alert) => shownAlert(known, alert));
  const first = Number(query.get("before") ?? 0);
  const end = first + Number(query.get("limit") ?? 50);
  return { alerts: alerts.slice(first, end), ...(end < alerts.length && { next: String(end) }) };
}

function answerUnseen(family: Family): { items: Schemas["UnseenAlerts"][] } {
  const items = family.children.map(({ child_id }) => {
    const known = alertsIn(family, child_id);
    const { length: unseen } = known.alerts.filter((alert) => alert.unseen && isOpen(known, alert));
    return { child_id, unseen: Math.min(unseen, 100) };
  });
  return { items };
}

/** Whether an alert rings, and the guardian has neither dealt with it nor finds it not worrying. */
export function isOpen(known: FakeAlerts, { kind, alert_id: id, flagged }: Alert): boolean {
  if (known.dealtWith.has(id)) return false;
  return kind === "phrase" || (kind === "reviewer" && !isNotWorrying(known, id, flagged));
}

function isNotWorrying(known: FakeAlerts, id: number, flagged: Alert["flagged"]): boolean {
  return known.notWorryingAlerts.has(id) || (flagged !== undefined && known.notWorrying.has(flagged.concern));
}

/** The alert as the guardian sees it now. */
export function shownAlert(known: FakeAlerts, alert: Alert): Alert {
  const { flagged, alert_id: id } = alert;
  const own = { ...alert, dealt_with: known.dealtWith.has(id) };
  if (flagged === undefined) return own;
  return { ...own, flagged: { ...flagged, not_worrying: isNotWorrying(known, id, flagged) } };
}

function answerNotWorrying(
  { notWorryingAlerts }: FakeAlerts,
  alertId: number,
  { not_worrying: isSo }: Schemas["NotWorrying"],
): Response {
  if (isSo) notWorryingAlerts.add(alertId);
  else notWorryingAlerts.delete(alertId);
  return new HttpResponse(null, { status: 204 });
}

function answerDealtWith(
  { dealtWith }: FakeAlerts,
  alertId: number,
  { dealt_with: isSo }: Schemas["AlertDealtWith"],
): Response {
  if (isSo) dealtWith.add(alertId);
  else dealtWith.delete(alertId);
  return new HttpResponse(null, { status: 204 });
}

function answerSeen(family: Family, { child_id, up_to }: Schemas["SeenAlerts"]): Response {
  const known = alertsIn(family, child_id);
  known.alerts = known.alerts.map((alert) => ({
    ...alert,
    unseen: alert.unseen && alert.alert_id > up_to,
  }));
  return new HttpResponse(null, { status: 204 });
}

function answerPhrases({ phrases, version }: FakeAlerts): Response {
  return HttpResponse.json(phrases, { headers: { ETag: `"${version}"` } });
}

/** Simulates a change on another device. */
export function changePhrasesElsewhere(known: FakeAlerts, phrases: Phrase[]): void {
  known.phrases = phrases;
  known.version += 1;
}

function answerReplacingPhrases(known: FakeAlerts, phrases: Phrase[], expected: string | null): Response {
  if (expected !== null && expected !== `"${known.version}"`)
    return problem(
      412,
      "phrases_changed",
      "The phrases were changed meanwhile. Please look at them again and repeat your change.",
    );
  if (phrases.length > 30)
    return problem(422, "too_many_phrases", "You can watch at most 30 phrases for a child.");
  if (phrases.some(({ words }) => words === "fail with detail"))
    return problem(
      503,
      "storage_unavailable",
      "The phrases can't be saved right now. Please try again in a minute.",
    );
  changePhrasesElsewhere(known, phrases);
  return answerPhrases(known);
}

/** Answers two pages. The cursor is the index of a session. */
function answerTry(
  { sessions }: Family,
  childId: number,
  { words, side, after }: Schemas["PhraseToTry"],
): Schemas["TriedPhrase"] {
  const since = "2026-08-27T09:00:00Z";
  const own = sessions.filter((session) => session.child_id === childId);
  const half = Math.ceil(own.length / 2);
  const read = after === undefined ? own.slice(0, half) : own.slice(Number(after));
  const items = read.flatMap(({ session_id, messages }): Schemas["TriedMatch"][] => {
    for (const { message_id, source, timestamp, text_content: text = "" } of messages) {
      const isOfSide = side === "either" || (source === "assistant") === (side === "assistant");
      const start = isOfSide ? text.toLowerCase().indexOf(words.toLowerCase()) : -1;
      if (start !== -1) {
        const match = { session_id, message_id, timestamp, text_content: text };
        return [
          { ...match, ranges: [[start, start + words.length]], ...(source !== undefined && { source }) },
        ];
      }
    }
    return [];
  });
  return { count: items.length, items, since, ...(after === undefined && { next: String(half) }) };
}

export function alertsHandlers(forGuardian: ForGuardian): HttpHandler[] {
  return [
    forGuardian("put", "/child/{childId}/alerts/{alertId}/dealt_with", ({ params, body }, family) =>
      answerDealtWith(alertsIn(family, Number(params["childId"])), Number(params["alertId"]), body),
    ),

    forGuardian("put", "/child/{childId}/alerts/{alertId}/not_worrying", ({ params, body }, family) =>
      answerNotWorrying(alertsIn(family, Number(params["childId"])), Number(params["alertId"]), body),
    ),

    forGuardian("get", "/child/{childId}/not_worrying", async ({ params }, family) => {
      const childId = Number(params["childId"]);
      const { notWorrying } = alertsIn(family, childId);
      return (await misbehaviour(childId, family)) ?? { items: [...notWorrying] };
    }),

    forGuardian("put", "/child/{childId}/not_worrying", ({ params, body }, family) => {
      alertsIn(family, Number(params["childId"])).notWorrying = new Set(body.items);
      return new HttpResponse(null, { status: 204 });
    }),

    forGuardian("get", "/child/{childId}/alerts", async ({ params, query }, family) => {
      const childId = Number(params["childId"]);
      return (await misbehaviour(childId, family)) ?? answerAlerts(alertsIn(family, childId), query);
    }),

    forGuardian("get", "/alerts/unseen", (_call, family) => answerUnseen(family)),

    forGuardian("put", "/alerts/seen", ({ body }, family) => answerSeen(family, body)),

    forGuardian("get", "/child/{childId}/watched_phrases", async ({ params }, family) => {
      const childId = Number(params["childId"]);
      return (await misbehaviour(childId, family)) ?? answerPhrases(alertsIn(family, childId));
    }),

    forGuardian("put", "/child/{childId}/watched_phrases", async ({ params, headers, body }, family) => {
      const childId = Number(params["childId"]);
      const known = alertsIn(family, childId);
      const refusal = await misbehaviour(childId, family);
      return refusal ?? answerReplacingPhrases(known, body, headers.get("If-Match"));
    }),

    forGuardian("post", "/child/{childId}/watched_phrases/try", async ({ params, body }, family) => {
      const childId = Number(params["childId"]);
      return (await misbehaviour(childId, family)) ?? answerTry(family, childId, body);
    }),
  ];
}
