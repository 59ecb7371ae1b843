/** The state of editing the context: a text that replaces the whole record, so a conflict is the parent's to resolve. */
import type { SaveAction, SaveStatus } from "../children/saved-edit";

/** An unsaved text, and the version that it replaces. */
export interface Draft {
  text: string;
  tag: string | null;
}

export interface Editing {
  /** Null while the text is the server's. */
  draft: Draft | null;
  status: SaveStatus;
}

/** Whether the text was kept, or another guardian's change came first. */
export type SaveResult = "kept" | "conflict";

export type EditingAction =
  { kind: "edit"; draft: Draft | null } | { kind: "save"; draft: Draft } | SaveAction<SaveResult>;

export const initialEditing: Editing = { draft: null, status: { kind: "idle" } };

export function editingReducer(state: Editing, action: EditingAction | SaveAction<SaveResult>): Editing {
  const saving = state.status.kind === "saving";
  switch (action.kind) {
    case "edit":
      return saving ? state : { draft: action.draft, status: { kind: "idle" } };
    case "save":
      return saving ? state : { draft: action.draft, status: { kind: "saving" } };
    case "save succeeded":
      return action.result === "conflict"
        ? { ...state, status: { kind: "idle" } }
        : { draft: null, status: { kind: "saved" } };
    case "save failed":
      return { ...state, status: { kind: "failed", sentence: action.sentence } };
    case "leave page":
      return saving ? state : { ...state, status: { kind: "idle" } };
  }
}
