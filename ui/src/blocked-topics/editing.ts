/**
 * Editing the block list, as values. The list on the server and this parent's unsaved changes are kept apart, so that the
 * page can show a change at once, keep it after a failed save, and repeat it on a list that somebody else changed.
 */
import { isAmong, isMandatory, refusalToAdd, refusalToRemove } from "./rules";
import type { SaveAction, SaveStatus } from "../children/saved-edit";

export interface Change {
  kind: "add" | "remove";
  topic: string;
}

export type EditingStatus =
  | SaveStatus
  /** The last change broke a rule; the sentence is shown for this long. */
  | { kind: "refused"; sentence: string; seconds: number };

export interface Editing {
  /** The text in the input. */
  draft: string;
  /** Changes on screen that are not on the server, oldest first. */
  unsaved: readonly Change[];
  /** The topic that was added last; it is highlighted. */
  lastAdded: string | null;
  status: EditingStatus;
}

export type EditingAction =
  | { kind: "type"; text: string }
  /** Adds a suggestion, or without one the text in the input. */
  | { kind: "add"; suggestion?: string }
  | { kind: "remove"; topic: string }
  | { kind: "retry" }
  | { kind: "refusal expired" };

export const initialEditing: Editing = {
  draft: "",
  unsaved: [],
  lastAdded: null,
  status: { kind: "idle" },
};

/** The state after an action; the same object when nothing changes. `saved` is the list on the server. */
export function editingReducer(
  state: Editing,
  action: EditingAction | SaveAction,
  saved: readonly string[],
): Editing {
  const saving = state.status.kind === "saving";
  switch (action.kind) {
    case "type":
      if (saving) return state;
      return { ...state, draft: action.text, status: { kind: "idle" } };
    case "add": {
      const topic = (action.suggestion ?? state.draft).trim();
      if (topic === "" || saving) return state;
      const own = withChanges(saved, state.unsaved);
      const refusal = refusalToAdd(topic, own);
      if (refusal !== null) {
        const draft = isAmong(own, topic) ? clearedOf(state.draft, topic) : state.draft;
        return { ...state, draft, status: { kind: "refused", ...refusal } };
      }
      return { ...startSaving(state, { kind: "add", topic }), lastAdded: topic };
    }
    case "remove": {
      const { topic } = action;
      if (saving) return state;
      const refusal = refusalToRemove(topic);
      if (refusal !== null) return { ...state, status: { kind: "refused", ...refusal } };
      if (!isAmong(withChanges(saved, state.unsaved), topic)) return state;
      return startSaving(state, { kind: "remove", topic });
    }
    case "retry":
      return saving || state.unsaved.length === 0 ? state : startSaving(state);
    case "save succeeded": {
      const draft = state.unsaved.reduce((text, { topic }) => clearedOf(text, topic), state.draft);
      return { ...state, draft, unsaved: [], status: { kind: "saved" } };
    }
    case "save failed":
      return { ...state, status: { kind: "failed", sentence: action.sentence } };
    case "refusal expired":
      return state.status.kind === "refused" ? { ...state, status: { kind: "idle" } } : state;
    case "leave page": {
      const stays = saving || state.status.kind === "failed";
      return { ...state, lastAdded: null, status: stays ? state.status : { kind: "idle" } };
    }
  }
}

/** The draft, emptied if it is this topic. */
function clearedOf(draft: string, topic: string): string {
  return draft.trim() === topic ? "" : draft;
}

function startSaving(state: Editing, ...changes: Change[]): Editing {
  return {
    ...state,
    unsaved: [...state.unsaved, ...changes],
    lastAdded: null,
    status: { kind: "saving" },
  };
}

/** Applies changes to a list. Adding a present topic and removing an absent one have no effect; mandatory topics are dropped. */
export function withChanges(topics: readonly string[], changes: readonly Change[]): string[] {
  let changed = topics.filter((topic) => !isMandatory(topic));
  for (const { kind, topic } of changes) {
    if (kind === "remove") changed = changed.filter((other) => !isAmong([topic], other));
    else if (!isAmong(changed, topic)) changed = [...changed, topic];
  }
  return changed;
}
