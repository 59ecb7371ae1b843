/** What needs the guardian of the fake backend: derived from its alerts and assistants, unless a test says what waits. */
import { type HttpHandler, HttpResponse } from "msw";

import { alertsIn, isOpen, shownAlert } from "./fake-backend-alerts";
import { answerTalkStatus } from "./fake-backend-talk-status";
import { rulesOf } from "./fake-backend-rules";
import type { ForGuardian } from "./fake-call";
import type { Family } from "./families";
import type { components } from "../api/generated/schema";

type Schemas = components["schemas"];
type ChildAttention = Schemas["ChildAttention"];

/** What waits, with the values of its sentence. */
export type FakeNeed = Pick<ChildAttention, "state"> & Partial<ChildAttention>;

/** The guardian's own. */
export class FakeAttention {
  /** What waits besides open alerts, gravest first, by child. */
  readonly needs = new Map<number, FakeNeed[]>();
  /** The ids of assistants that the guardian no longer uses. */
  readonly notInUse = new Set<string>();
  /** The number of records that can't be read. */
  unreadable = 0;
}

/** The id of the fake household's assistant with this name. */
export function assistantOf(name: string): Schemas["AttentionAssistant"] {
  return { assistant_id: `asi_${name.toLowerCase()}`, name, not_in_use: false };
}

function answerAttention(family: Family): Response {
  const { unreadable } = family.attention;
  const items = family.children
    .filter((child) => !family.unreadable.has(child))
    .map(({ child_id: id, name }) => childAttention(family, id, name));
  const missing = unreadable + family.children.length - items.length;
  const headers: Record<string, string> = missing > 0 ? { "Unreadable-Rows": String(missing) } : {};
  return HttpResponse.json({ items } satisfies { items: ChildAttention[] }, { headers });
}

function childAttention(family: Family, childId: number, name: string): ChildAttention {
  const rules = family.rules.get(childId) ?? rulesOf();
  const { notInUse } = family.attention;
  const assistants = rules.receipts.assistants
    .map((receipt) => assistantOf(receipt.name))
    .map((one) => ({ ...one, not_in_use: notInUse.has(one.assistant_id) }));
  const { last_heard: last } = answerTalkStatus(family, rules, childId);
  const known = alertsIn(family, childId);
  const open = known.alerts.filter((alert) => isOpen(known, alert));
  const [need, ...others] = needsOf(family, childId);
  const quiet =
    assistants.length === 0 ? "no_assistant" : last === undefined ? "nothing_heard" : "nothing_open";
  return {
    child_id: childId,
    child_name: name,
    state: quiet,
    more: others.length,
    open_alerts: open.length,
    ...(last !== undefined && { last_heard: last }),
    sees: {
      assistants,
      watched_phrases: known.phrases.length,
      reviewer: need?.state === "urgent" || family.reviewers.get(childId)?.view.state === "on",
    },
    ...need,
  };
}

/** Gravest first. */
function needsOf(family: Family, childId: number): FakeNeed[] {
  const known = alertsIn(family, childId);
  const alerts = known.alerts
    .filter((alert) => isOpen(known, alert))
    .map((alert): FakeNeed => {
      const state = alert.flagged?.severity === "urgent" ? "urgent" : "alert";
      const { text_content: _, ranges: __, before: ___, after: ____, ...wordless } = shownAlert(known, alert);
      return { state, alert: wordless };
    });
  const needs = family.attention.needs.get(childId) ?? [];
  const isSilenced = ({ state, assistant }: FakeNeed) =>
    state === "silent" && family.attention.notInUse.has(assistant?.assistant_id ?? "");
  return [
    ...alerts.filter(({ state }) => state === "urgent"),
    ...alerts.filter(({ state }) => state === "alert"),
    ...needs.filter((need) => !isSilenced(need)),
  ];
}

function answerNotInUse(
  { attention }: Family,
  assistantId: string,
  { not_in_use: isSo }: Schemas["AssistantNotInUse"],
): Response {
  if (isSo) attention.notInUse.add(assistantId);
  else attention.notInUse.delete(assistantId);
  return new HttpResponse(null, { status: 204 });
}

export function attentionHandlers(forGuardian: ForGuardian): HttpHandler[] {
  return [
    forGuardian("get", "/attention", (_call, family) => answerAttention(family)),

    forGuardian("put", "/child/{childId}/assistants/{assistantId}/not_in_use", ({ params, body }, family) =>
      answerNotInUse(family, params["assistantId"] ?? "", body),
    ),
  ];
}
