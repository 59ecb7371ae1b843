import { expect, test } from "vitest";

import {
  type Editing,
  type EditingAction,
  type SaveEvent,
  editingReducer,
  initialEditing,
  unsavedSentence,
} from "./saved-edit";

type Texts = Editing<string>;

const pause = "pause";
const minutes = "set minutes";
const typed: Texts = { unsaved: [pause], status: { kind: "idle" } };
const failed: Texts = { unsaved: [pause], status: { kind: "failed", sentence: "Not now." } };
const saving: Texts = { unsaved: [pause], status: { kind: "saving" } };
const saved: Texts = { unsaved: [], status: { kind: "saved" } };

test.each<[string, Texts, EditingAction<string> | SaveEvent, Texts]>([
  ["a change is saved", initialEditing, { kind: "change", change: pause }, saving],
  ["another one waits for the save", saving, { kind: "change", change: minutes }, saving],
  [
    "one after a failure is saved with the failed one",
    failed,
    { kind: "change", change: minutes },
    { unsaved: [pause, minutes], status: { kind: "saving" } },
  ],
  ["a saved change is no longer unsaved", saving, { kind: "save succeeded" }, saved],
  ["a failed change stays", saving, { kind: "save failed", sentence: "Not now." }, failed],
  ["a failed change is tried again", failed, { kind: "save" }, saving],
  ["without a change there is nothing to try again", initialEditing, { kind: "save" }, initialEditing],
  ["a failed change is taken back", failed, { kind: "discard" }, initialEditing],
  ["a change that is being saved is not taken back", saving, { kind: "discard" }, saving],
  ["a failed change outlives the page", failed, { kind: "leave page" }, failed],
  ["that something was saved is not said again", saved, { kind: "leave page" }, initialEditing],
  ["a draft waits to be saved", saved, { kind: "draft", change: pause }, typed],
  [
    "a draft replaces the one before and its failure",
    failed,
    { kind: "draft", change: minutes },
    { unsaved: [minutes], status: { kind: "idle" } },
  ],
  ["a draft like the record is no change", typed, { kind: "draft", change: null }, initialEditing],
  ["nothing is drafted during a save", saving, { kind: "draft", change: minutes }, saving],
  ["a draft is saved", typed, { kind: "save" }, saving],
  ["a draft that conflicts stays, for the guardian to decide", saving, { kind: "save conflicted" }, typed],
  ["a draft outlives the page", typed, { kind: "leave page" }, typed],
  ["a save outlives the page", saving, { kind: "leave page" }, saving],
])("%s", (_what, before, action, after) => {
  expect(editingReducer(before, action)).toEqual(after);
});

test("other pages show why a change is not saved, and nothing while it is being saved", () => {
  expect(unsavedSentence("Mia", failed)).toBe("Your last change for Mia is not saved yet. Not now.");
  expect(unsavedSentence("Mia", saving)).toBeNull();
  expect(unsavedSentence("Mia", initialEditing)).toBeNull();
});
