/** Editing the block list, as values. */
import { isAmong, isMandatory, refusalToAdd, refusalToRemove } from "./rules";
import {
  type Editing as SavedEditing,
  type SaveEvent,
  type SaveStatus,
  initialEditing as nothingEdited,
  editingReducer as savedEditReducer,
} from "../rules/saved-edit";

export interface Change {
  kind: "add" | "remove";
  topic: string;
}

/** The last change broke a rule; the sentence is shown for this long. */
interface Refused {
  kind: "refused";
  sentence: string;
  seconds: number;
}

export type Status = SaveStatus | Refused;

export interface Editing extends SavedEditing<Change, Refused> {
  /** The text in the input. */
  draft: string;
  /** The topic that was added last; it is highlighted. */
  lastAdded: string | null;
  /** The topic that was removed last, until the next change; it can be put back. */
  lastRemoved: string | null;
}

export type EditingAction =
  | { kind: "type"; text: string }
  /** Adds a suggestion, or without one the text in the input. */
  | { kind: "add"; suggestion?: string }
  | { kind: "remove"; topic: string }
  /** Puts the topic back that was removed last, without the rules for new ones. */
  | { kind: "undo" }
  | { kind: "refusal expired" }
  | { kind: "save" };

export const initialEditing: Editing = { ...nothingEdited, draft: "", lastAdded: null, lastRemoved: null };

/** The state after an action; the same object when nothing changes. `saved` is the list on the server. */
export function editingReducer(
  state: Editing,
  action: EditingAction | SaveEvent,
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
      return withAdded(state, topic);
    }
    case "undo":
      return saving || state.lastRemoved === null ? state : withAdded(state, state.lastRemoved);
    case "remove": {
      const { topic } = action;
      if (saving) return state;
      const refusal = refusalToRemove(topic);
      if (refusal !== null) return { ...state, status: { kind: "refused", ...refusal } };
      if (!isAmong(withChanges(saved, state.unsaved), topic)) return state;
      const change: Change = { kind: "remove", topic };
      return { ...savedEditReducer(state, { kind: "change", change }), lastAdded: null, lastRemoved: topic };
    }
    case "refusal expired":
      return state.status.kind === "refused" ? { ...state, status: { kind: "idle" } } : state;
    case "save succeeded": {
      const draft = state.unsaved.reduce((text, { topic }) => clearedOf(text, topic), state.draft);
      return { ...savedEditReducer(state, action), draft };
    }
    case "save": {
      const next = savedEditReducer(state, action);
      return next === state ? state : { ...next, lastAdded: null, lastRemoved: null };
    }
    case "leave page":
      return { ...savedEditReducer(state, action), lastAdded: null, lastRemoved: null };
    case "save failed":
    case "save conflicted":
      return savedEditReducer(state, action);
  }
}

function withAdded(state: Editing, topic: string): Editing {
  const change: Change = { kind: "add", topic };
  return { ...savedEditReducer(state, { kind: "change", change }), lastAdded: topic, lastRemoved: null };
}

/** The draft, emptied if it is this topic. */
function clearedOf(draft: string, topic: string): string {
  return draft.trim() === topic ? "" : draft;
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
