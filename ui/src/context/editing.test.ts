import { expect, test } from "vitest";

import { type Editing, type EditingAction, type SaveResult, editingReducer, initialEditing } from "./editing";
import type { SaveAction } from "../children/saved-edit";

const draft = { text: "Mia is eight.", tag: '"1"' };
const typed: Editing = { draft, status: { kind: "idle" } };
const saving: Editing = { draft, status: { kind: "saving" } };
const failed: Editing = { draft, status: { kind: "failed", sentence: "Not now." } };
const saved: Editing = { draft: null, status: { kind: "saved" } };

test.each<[string, Editing, EditingAction | SaveAction<SaveResult>, Editing]>([
  ["typing is kept", initialEditing, { kind: "edit", draft }, typed],
  ["typing clears the message of a failed save", failed, { kind: "edit", draft }, typed],
  ["nothing is typed while saving", saving, { kind: "edit", draft: null }, saving],
  ["a text is saved", typed, { kind: "save", draft }, saving],
  ["a saved text is the server's", saving, { kind: "save succeeded", result: "kept" }, saved],
  ["after a conflict the text stays", saving, { kind: "save succeeded", result: "conflict" }, typed],
  ["after a failure the text stays", saving, { kind: "save failed", sentence: "Not now." }, failed],
  ["leaving the page keeps the text and clears the message", failed, { kind: "leave page" }, typed],
  ["leaving the page keeps a running save", saving, { kind: "leave page" }, saving],
])("%s", (_what, before, action, after) => {
  expect(editingReducer(before, action)).toEqual(after);
});
