/** The state of editing the times. As with the block list, unsaved changes are stored apart from the server's record. */
import type { TimesChange } from "./times";
import type { SaveAction, SaveStatus } from "../children/saved-edit";

export interface Editing {
  /** Changes on screen that are not on the server, oldest first. */
  unsaved: readonly TimesChange[];
  status: SaveStatus;
}

export type EditingAction = { kind: "change"; change: TimesChange } | { kind: "retry" } | { kind: "discard" };

export const initialEditing: Editing = { unsaved: [], status: { kind: "idle" } };

/** The state after an action; the same object when nothing changes. */
export function editingReducer(state: Editing, action: EditingAction | SaveAction): Editing {
  const saving = state.status.kind === "saving";
  switch (action.kind) {
    case "change":
      if (saving) return state;
      return { unsaved: [...state.unsaved, action.change], status: { kind: "saving" } };
    case "retry":
      return saving || state.unsaved.length === 0 ? state : { ...state, status: { kind: "saving" } };
    case "discard":
      return saving ? state : initialEditing;
    case "save succeeded":
      return { unsaved: [], status: { kind: "saved" } };
    case "save failed":
      return { ...state, status: { kind: "failed", sentence: action.sentence } };
    case "leave page":
      return state.status.kind === "saved" ? initialEditing : state;
  }
}

/** The message on other pages about an unsaved change; null if there is none, or while it is being saved. */
export function unsavedSentence(name: string, { unsaved, status }: Editing): string | null {
  if (unsaved.length === 0 || status.kind !== "failed") return null;
  return `Your last change to ${name}'s times is not saved yet. ${status.sentence}`;
}
