/** Moving and erasing sessions in the fake backend. */
import { HttpResponse } from "msw";

import type { Family, FakeSession } from "./families";
import type { components } from "../api/generated/schema";

type Schemas = components["schemas"];

export interface FakeDeleted {
  session: FakeSession;
  deleted_at: string;
  /** Whether another guardian erased it, and this one has not seen it in the list. */
  unseen?: boolean;
  /** If it was deleted for its age. */
  older_than_days?: 30 | 90 | 365;
}

const WEEK = 7 * 24 * 60 * 60_000;

export function answerErasing(family: Family, session: FakeSession): Response {
  family.sessions = family.sessions.filter((other) => other !== session);
  family.deleted.unshift({ session, deleted_at: new Date().toISOString() });
  return new HttpResponse(null, { status: 204 });
}

export function answerDeleted(family: Family, childId: number): Schemas["DeletedPage"] {
  const own = family.deleted.filter(({ session }) => session.child_id === childId);
  const items = own.map(
    ({ session, deleted_at, unseen, older_than_days: days }): Schemas["DeletedSession"] => ({
      session_id: session.session_id,
      message_count: session.messages.length,
      deleted_at,
      restorable_until: new Date(Date.parse(deleted_at) + WEEK).toISOString(),
      ...(days === undefined ? { by: { is_you: unseen === undefined } } : { older_than_days: days }),
      date: session.start_time ?? session.messages[0]?.timestamp ?? deleted_at,
      ...(unseen === true && { unseen }),
      ...(session.topic !== undefined && { topic: session.topic }),
      ...(session.start_time !== undefined && { start_time: session.start_time }),
    }),
  );
  return { items, may_erase: family.mayErase };
}

/** Marks sessions in 'Recently deleted' as seen. */
export function answerShown(family: Family, { sessions }: Schemas["ShownDeletedRequest"]): Response {
  family.deleted = family.deleted.map((each) =>
    sessions.includes(each.session.session_id) ? { ...each, unseen: false } : each,
  );
  return new HttpResponse(null, { status: 204 });
}

function newestFirst(one: FakeSession, other: FakeSession): number {
  return (other.start_time ?? "").localeCompare(one.start_time ?? "");
}

/** Removes a session from 'Recently deleted', and restores it if `returns` is true. */
export function answerTaking(family: Family, sessionId: number, returns: boolean): Response | null {
  const taken = family.deleted.find(({ session }) => session.session_id === sessionId);
  if (taken === undefined) return null;
  family.deleted = family.deleted.filter((other) => other !== taken);
  if (returns) {
    family.sessions = [...family.sessions, taken.session].sort(newestFirst);
  } else {
    family.deletions.unshift({
      sessions: 1,
      messages: taken.session.messages.length,
      reason: "guardian",
      by: { is_you: true },
      requested_at: new Date().toISOString(),
      deleted_on: new Date().toISOString().slice(0, 10),
    });
  }
  return new HttpResponse(null, { status: 204 });
}

export function answerMoving(family: Family, session: FakeSession, childId: number): Response | null {
  if (!family.children.some(({ child_id }) => child_id === childId)) return null;
  session.child_id = childId;
  return new HttpResponse(null, { status: 204 });
}

/** A small file. */
export function answerExport(family: Family, childId: number): Response {
  const child = family.children.find(({ child_id }) => child_id === childId);
  return HttpResponse.json(
    { children: [{ name: child?.name }] },
    { headers: { "Content-Disposition": 'attachment; filename="porchlight-child.json"' } },
  );
}

/** For how long a child's conversations are kept, and what would be deleted. */
export interface FakePeriod {
  days: Schemas["Retention"]["days"];
  within_a_week: number;
  would_delete: Schemas["TooOld"];
}

export const forEver: FakePeriod = {
  days: null,
  within_a_week: 0,
  would_delete: { days_30: 0, days_90: 0, days_365: 0 },
};

export function answerPeriod(
  family: Family,
  childId: number,
  pending: Schemas["ChildRequest"] | undefined,
): Schemas["Retention"] {
  const period = family.periods.get(childId) ?? forEver;
  return { ...period, ...(pending !== undefined && { pending }) };
}
