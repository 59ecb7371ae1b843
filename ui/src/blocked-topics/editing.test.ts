import { expect, test } from "vitest";

import {
  type Change,
  type Editing,
  type EditingAction,
  editingReducer,
  initialEditing,
  withChanges,
} from "./editing";
import type { SaveEvent } from "../rules/saved-edit";

const adding: Change = { kind: "add", topic: "Ants" };
const saving: Editing = {
  ...initialEditing,
  unsaved: [adding],
  lastAdded: "Ants",
  status: { kind: "saving" },
};
const refused: Editing = {
  ...initialEditing,
  draft: "ab",
  status: { kind: "refused", sentence: "No.", seconds: 3 },
};
const failed: Editing = { ...saving, status: { kind: "failed", sentence: "Not now." } };

test.each<[fact: string, before: Editing, action: EditingAction | SaveEvent, then: Editing]>([
  ["typing fills the input", initialEditing, { kind: "type", text: "G" }, { ...initialEditing, draft: "G" }],
  [
    "typing clears a validation message",
    refused,
    { kind: "type", text: "abc" },
    { ...initialEditing, draft: "abc" },
  ],
  [
    "typing clears a failed save's message, not its change",
    failed,
    { kind: "type", text: "x" },
    { ...failed, draft: "x", status: { kind: "idle" } },
  ],
  ["nothing is typed while saving", saving, { kind: "type", text: "x" }, saving],
  [
    "a topic that is added is saved at once and highlighted",
    { ...initialEditing, draft: " Ants " },
    { kind: "add" },
    { ...saving, draft: " Ants " },
  ],
  [
    "a topic that is removed is saved at once",
    { ...initialEditing, lastAdded: "Ants" },
    { kind: "remove", topic: "Ghosts" },
    {
      ...initialEditing,
      unsaved: [{ kind: "remove", topic: "Ghosts" }],
      lastRemoved: "Ghosts",
      status: { kind: "saving" },
    },
  ],
  [
    "a topic that was removed is put back, although it is too short for a new one",
    { ...initialEditing, draft: "x", lastRemoved: "Qi", status: { kind: "saved" } },
    { kind: "undo" },
    {
      ...initialEditing,
      draft: "x",
      unsaved: [{ kind: "add", topic: "Qi" }],
      lastAdded: "Qi",
      status: { kind: "saving" },
    },
  ],
  ["without a removal there is nothing to put back", initialEditing, { kind: "undo" }, initialEditing],
  [
    "a save blocks an undo",
    { ...saving, lastRemoved: "Qi" },
    { kind: "undo" },
    { ...saving, lastRemoved: "Qi" },
  ],
  ["a save blocks another one", saving, { kind: "add", suggestion: "Bees" }, saving],
  ["a save blocks a removal", saving, { kind: "remove", topic: "Ghosts" }, saving],
  ["a save blocks repeating it", saving, { kind: "save" }, saving],
  [
    "a successful save leaves no unsaved changes",
    saving,
    { kind: "save succeeded" },
    { ...saving, unsaved: [], status: { kind: "saved" } },
  ],
  [
    "the input is cleared once its topic is saved",
    { ...saving, draft: " Ants " },
    { kind: "save succeeded" },
    { ...saving, unsaved: [], status: { kind: "saved" } },
  ],
  [
    "the input keeps a topic that was not saved",
    { ...saving, draft: " Ants " },
    { kind: "save failed", sentence: "Not now." },
    { ...failed, draft: " Ants " },
  ],
  [
    "saving a suggestion keeps what was typed",
    { ...saving, draft: "Half typ" },
    { kind: "save succeeded" },
    { ...saving, draft: "Half typ", unsaved: [], status: { kind: "saved" } },
  ],
  [
    "leaving the page keeps a running save and ends the highlight",
    saving,
    { kind: "leave page" },
    { ...saving, lastAdded: null },
  ],
  ["leaving the page keeps a failed save", failed, { kind: "leave page" }, { ...failed, lastAdded: null }],
  [
    "leaving the page keeps what was typed and ends a validation message",
    refused,
    { kind: "leave page" },
    { ...initialEditing, draft: "ab" },
  ],
  [
    "a failed save shows its message and keeps the change",
    saving,
    { kind: "save failed", sentence: "Not now." },
    failed,
  ],
  ["a failed save can be repeated", failed, { kind: "save" }, { ...saving, lastAdded: null }],
  ["without unsaved changes there is nothing to repeat", initialEditing, { kind: "save" }, initialEditing],
  [
    "the next change is saved together with those that failed before",
    failed,
    { kind: "add", suggestion: "Bees" },
    { ...saving, unsaved: [adding, { kind: "add", topic: "Bees" }], lastAdded: "Bees" },
  ],
  [
    "an unsaved topic counts as being in the list",
    failed,
    { kind: "add", suggestion: "ants" },
    {
      ...failed,
      status: { kind: "refused", sentence: '"ants" is already in your blocked list.', seconds: 3 },
    },
  ],
  [
    "a validation message times out",
    refused,
    { kind: "refusal expired" },
    { ...initialEditing, draft: "ab" },
  ],
  ["a failed save's message stays", failed, { kind: "refusal expired" }, failed],
])("%s", (_fact, before, action, then) => {
  expect(editingReducer(before, action, ["Ghosts"])).toEqual(then);
});

test.each<[fact: string, saved: string[], changes: Change[], then: string[]]>([
  ["without changes the list is the server's", ["Ghosts"], [], ["Ghosts"]],
  ["an added topic goes to the end", ["Ghosts"], [adding], ["Ghosts", "Ants"]],
  ["a topic that somebody else added keeps their spelling", ["ANTS"], [adding], ["ANTS"]],
  ["a removed topic goes", ["Ghosts", "Ants"], [{ kind: "remove", topic: "Ghosts" }], ["Ants"]],
  [
    "removing a topic that somebody else removed changes nothing",
    ["Ants"],
    [{ kind: "remove", topic: "Ghosts" }],
    ["Ants"],
  ],
  ["changes apply in order", [], [adding, { kind: "remove", topic: "Ants" }, adding], ["Ants"]],
  ["mandatory topics are left out", ["Ghosts", "violence, hate, and harassment"], [], ["Ghosts"]],
])("%s", (_fact, saved, changes, then) => {
  expect(withChanges(saved, changes)).toEqual(then);
});
