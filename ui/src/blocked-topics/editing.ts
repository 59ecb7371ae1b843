/**
 * What a parent does to the list, as values. The server's list is one thing; what this parent changed and the server has
 * not kept yet is another, so that the screen can show a change at once, keep it after a failure, and make it again on a
 * list that somebody else changed meanwhile.
 */
import { isAmong, isMandatory, refusalToAdd, refusalToRemove } from "./rules";

export interface Change {
  kind: "add" | "remove";
  topic: string;
}

/** What is going on below the input: never two of these at once. */
export type Doing =
  | { is: "editing" }
  | { is: "saving" }
  | { is: "saved" }
  /** A rule spoke; its sentence leaves by itself. */
  | { is: "refused"; sentence: string; seconds: number }
  /** A save failed; what was changed stays on screen. */
  | { is: "failed"; sentence: string };

export interface Editing {
  /** What the input holds. */
  box: string;
  /** Changes on screen that the server has not kept, oldest first. */
  unsaved: readonly Change[];
  /** The topic that was added last. */
  landed: string | null;
  doing: Doing;
}

export type Act =
  | { act: "type"; text: string }
  /** A suggestion, or without one what the input holds. */
  | { act: "add"; suggestion?: string }
  | { act: "remove"; topic: string }
  | { act: "save again" }
  | { act: "save succeeds" }
  | { act: "save fails"; sentence: string }
  | { act: "sentence leaves" }
  /** The parent goes to another page; what is not saved waits. */
  | { act: "leave" };

export const untouched: Editing = { box: "", unsaved: [], landed: null, doing: { is: "editing" } };

/** What follows from an act; the same value when nothing does. `kept` is the server's list. */
export function after(now: Editing, act: Act, kept: readonly string[]): Editing {
  const saving = now.doing.is === "saving";
  switch (act.act) {
    case "type":
      if (saving) return now;
      return { ...now, box: act.text, doing: { is: "editing" } };
    case "add": {
      const topic = (act.suggestion ?? now.box).trim();
      if (topic === "" || saving) return now;
      const own = withChanges(kept, now.unsaved);
      const refusal = refusalToAdd(topic, own);
      if (refusal !== null) {
        const box = isAmong(own, topic) ? boxWithout(now.box, topic) : now.box;
        return { ...now, box, doing: { is: "refused", ...refusal } };
      }
      return { ...startSaving(now, { kind: "add", topic }), landed: topic };
    }
    case "remove": {
      if (saving) return now;
      const refusal = refusalToRemove(act.topic);
      if (refusal !== null) return { ...now, doing: { is: "refused", ...refusal } };
      if (!isAmong(withChanges(kept, now.unsaved), act.topic)) return now;
      return startSaving(now, { kind: "remove", topic: act.topic });
    }
    case "save again":
      if (saving || now.unsaved.length === 0) return now;
      return startSaving(now);
    case "save succeeds": {
      const box = now.unsaved.reduce((text, { topic }) => boxWithout(text, topic), now.box);
      return { ...now, box, unsaved: [], doing: { is: "saved" } };
    }
    case "save fails":
      return { ...now, doing: { is: "failed", sentence: act.sentence } };
    case "sentence leaves":
      return now.doing.is === "refused" ? { ...now, doing: { is: "editing" } } : now;
    case "leave": {
      const waits = saving || now.doing.is === "failed";
      return { ...now, landed: null, doing: waits ? now.doing : { is: "editing" } };
    }
  }
}

/** What the input holds, emptied if that is this topic. */
function boxWithout(box: string, topic: string): string {
  return box.trim() === topic ? "" : box;
}

function startSaving(now: Editing, ...changes: Change[]): Editing {
  return { ...now, unsaved: [...now.unsaved, ...changes], landed: null, doing: { is: "saving" } };
}

/** A list after these changes. One that is made already changes nothing. Mandatory topics are nobody's own. */
export function withChanges(kept: readonly string[], changes: readonly Change[]): string[] {
  let topics = kept.filter((topic) => !isMandatory(topic));
  for (const { kind, topic } of changes) {
    if (kind === "remove") topics = topics.filter((other) => !isAmong([topic], other));
    else if (!isAmong(topics, topic)) topics = [...topics, topic];
  }
  return topics;
}

/** What the page shows of a child's list. */
export type Screen =
  | { is: "loading" }
  | { is: "load failed"; sentence: string }
  | { is: "loaded"; own: readonly string[]; guardians: number };

/** A list that can't be loaded is shown as none, although an older one may still be held. */
export function screenOf(
  list: { failure: string | null; kept: { topics: readonly string[]; guardians: number } | undefined },
  unsaved: readonly Change[],
): Screen {
  if (list.failure !== null) return { is: "load failed", sentence: list.failure };
  if (list.kept === undefined) return { is: "loading" };
  return { is: "loaded", own: withChanges(list.kept.topics, unsaved), guardians: list.kept.guardians };
}
