/**
 * Editing a record that several guardians share, as values. The record on the server and this guardian's unsaved changes
 * are kept apart: a change is on screen at once, stays after a failed save, and is repeated on a record that somebody
 * else changed.
 */
import { t } from "@lingui/core/macro";

export type SaveStatus =
  | { kind: "idle" }
  | { kind: "saving" }
  | { kind: "saved" }
  /** A save failed; the changes stay on screen. */
  | { kind: "failed"; sentence: string };

/** `OwnStatus` is a feature's additional status. */
export interface Editing<Change, OwnStatus = never> {
  /** Changes on screen that are not on the server, oldest first. */
  unsaved: readonly Change[];
  status: SaveStatus | OwnStatus;
}

/** What the hook reports to a feature's reducer. */
export type SaveEvent =
  | { kind: "save succeeded" }
  | { kind: "save failed"; sentence: string }
  /** Somebody else changed the record, which is loaded now; the guardian decides. */
  | { kind: "save conflicted" }
  /** The guardian leaves the page; unsaved changes stay. */
  | { kind: "leave page" };

export type EditingAction<Change> =
  /** Saved at once, together with those that failed before. */
  | { kind: "change"; change: Change }
  /** Replaces the unsaved changes; null removes them. Saved later. */
  | { kind: "draft"; change: Change | null }
  /** Saves the unsaved changes, for the first time or again. */
  | { kind: "save" }
  | { kind: "discard" };

export const initialEditing: Editing<never> = { unsaved: [], status: { kind: "idle" } };

/** The state after an action; the same object when nothing changes. Nothing is edited during a save. */
export function editingReducer<Change, State extends Editing<Change, { kind: string }>>(
  state: State,
  action: EditingAction<Change> | SaveEvent,
): State {
  const saving = state.status.kind === "saving";
  switch (action.kind) {
    case "change":
      return saving
        ? state
        : { ...state, unsaved: [...state.unsaved, action.change], status: { kind: "saving" } };
    case "draft":
      return saving
        ? state
        : { ...state, unsaved: action.change === null ? [] : [action.change], status: { kind: "idle" } };
    case "save":
      return saving || state.unsaved.length === 0 ? state : { ...state, status: { kind: "saving" } };
    case "discard":
      return saving ? state : { ...state, ...initialEditing };
    case "save succeeded":
      return { ...state, unsaved: [], status: { kind: "saved" } };
    case "save failed":
      return { ...state, status: { kind: "failed", sentence: action.sentence } };
    case "save conflicted":
      return { ...state, status: { kind: "idle" } };
    case "leave page":
      return saving || ["idle", "failed"].includes(state.status.kind)
        ? state
        : { ...state, status: { kind: "idle" } };
  }
}

export function isUnsaved({ unsaved }: Pick<Editing<unknown>, "unsaved">): boolean {
  return unsaved.length > 0;
}

export function lastChangeUnsaved(name: string): string {
  return t`Your last change for ${name} is not saved yet.`;
}

/** The message on other pages about an unsaved change; null if there is none, or while it is being saved. */
export function unsavedSentence(
  name: string,
  { unsaved, status }: Editing<unknown, { kind: "refused" }>,
): string | null {
  if (unsaved.length === 0 || status.kind === "saving") return null;
  const sentence = lastChangeUnsaved(name);
  return status.kind === "failed" ? `${sentence} ${status.sentence}` : sentence;
}
