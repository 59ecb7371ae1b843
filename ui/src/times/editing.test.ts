import { expect, test } from "vitest";

import { type Editing, type EditingAction, editingReducer, initialEditing, unsavedSentence } from "./editing";
import type { TimesChange } from "./times";
import type { SaveAction } from "../children/saved-edit";

const pause: TimesChange = { kind: "pause" };
const minutes: TimesChange = { kind: "set minutes", minutes: 30 };
const failed: Editing = { unsaved: [pause], status: { kind: "failed", sentence: "Not now." } };
const saving: Editing = { unsaved: [pause], status: { kind: "saving" } };

test.each<[string, Editing, EditingAction | SaveAction, Editing]>([
  ["a change is saved", initialEditing, { kind: "change", change: pause }, saving],
  ["another one waits for the save", saving, { kind: "change", change: minutes }, saving],
  [
    "one after a failure is saved with the failed one",
    failed,
    { kind: "change", change: minutes },
    { unsaved: [pause, minutes], status: { kind: "saving" } },
  ],
  [
    "a saved change is no longer unsaved",
    saving,
    { kind: "save succeeded" },
    {
      unsaved: [],
      status: { kind: "saved" },
    },
  ],
  ["a failed change stays", saving, { kind: "save failed", sentence: "Not now." }, failed],
  ["a failed change is tried again", failed, { kind: "retry" }, saving],
  ["without a change there is nothing to try again", initialEditing, { kind: "retry" }, initialEditing],
  ["a failed change is taken back", failed, { kind: "discard" }, initialEditing],
  ["a change that is being saved is not taken back", saving, { kind: "discard" }, saving],
  ["a failed change outlives the page", failed, { kind: "leave page" }, failed],
  [
    "that something was saved is not said again",
    { unsaved: [], status: { kind: "saved" } },
    { kind: "leave page" },
    initialEditing,
  ],
])("%s", (_what, before, action, after) => {
  expect(editingReducer(before, action)).toEqual(after);
});

test("other pages show why a change is not saved, and nothing while it is being saved", () => {
  expect(unsavedSentence("Mia", failed)).toBe("Your last change to Mia's times is not saved yet. Not now.");
  expect(unsavedSentence("Mia", saving)).toBeNull();
  expect(unsavedSentence("Mia", initialEditing)).toBeNull();
});
