/** Until when a guardian has seen each child's conversations, in this browser. */
import { t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";
import { browserStorage } from "../ui/browser-storage";

type ChildTalk = components["schemas"]["ChildTalk"];

const KEY = "seenUntil";

/** By child: the time of the newest message when its pages were last open. */
export type SeenUntil = ReadonlyMap<number, number>;

/** Each guardian's entries in this browser are separate. */
export function readSeen(guardianId: string): SeenUntil {
  const [keptFor, ...entries] = browserStorage.get(KEY)?.split(" ") ?? [];
  if (keptFor !== guardianId) return new Map();
  return new Map(
    entries.map((entry) => {
      const [child, until] = entry.split("=").map(Number);
      return [child ?? 0, until ?? 0];
    }),
  );
}

export function storeSeen(guardianId: string, seen: SeenUntil): void {
  browserStorage.set(KEY, [guardianId, ...[...seen].map(([child, until]) => `${child}=${until}`)].join(" "));
}

/** The child on screen is seen, and children that were never on screen here are not new. */
export function withSeen(seen: SeenUntil, talk: readonly ChildTalk[], shownId: number | null): SeenUntil {
  const until = talk.map(({ child_id: id, last_message_time: last }): [number, number] => {
    const newest = last === undefined ? 0 : Date.parse(last);
    return [id, id === shownId ? newest : (seen.get(id) ?? newest)];
  });
  return new Map(until);
}

/** The mark of a child in the selector; null without one. `ringing` is what rings about the child. */
export function markOf(
  talk: ChildTalk | undefined,
  seen: SeenUntil,
  ringing: string | null = null,
): string | null {
  if (ringing !== null) return ringing;
  if (talk === undefined) return null;
  if (talk.talking) return t`talking now`;
  const until = seen.get(talk.child_id);
  const last = talk.last_message_time;
  if (until === undefined || last === undefined || Date.parse(last) <= until) return null;
  return t({ message: "new", context: "what a child said" });
}
