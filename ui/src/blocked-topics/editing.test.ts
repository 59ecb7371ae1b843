import { expect, test } from "vitest";

import { type Act, type Change, type Editing, after, screenOf, untouched, withChanges } from "./editing";

const adding: Change = { kind: "add", topic: "Ants" };
const saving: Editing = { ...untouched, unsaved: [adding], landed: "Ants", doing: { is: "saving" } };
const refused: Editing = { ...untouched, box: "ab", doing: { is: "refused", sentence: "No.", seconds: 3 } };
const failed: Editing = { ...saving, doing: { is: "failed", sentence: "Not now." } };

test.each<[fact: string, now: Editing, act: Act, then: Editing]>([
  ["typing fills the input", untouched, { act: "type", text: "G" }, { ...untouched, box: "G" }],
  ["typing clears a rule's sentence", refused, { act: "type", text: "abc" }, { ...untouched, box: "abc" }],
  [
    "typing clears a failed save's sentence, not what it could not save",
    failed,
    { act: "type", text: "x" },
    { ...failed, box: "x", doing: { is: "editing" } },
  ],
  ["nothing is typed while saving", saving, { act: "type", text: "x" }, saving],
  [
    "a topic that is added is saved at once and stands out",
    { ...untouched, box: " Ants " },
    { act: "add" },
    { ...saving, box: " Ants " },
  ],
  [
    "a topic that is removed is saved at once",
    { ...untouched, landed: "Ants" },
    { act: "remove", topic: "Ghosts" },
    { ...untouched, unsaved: [{ kind: "remove", topic: "Ghosts" }], doing: { is: "saving" } },
  ],
  ["a save blocks another one", saving, { act: "add", suggestion: "Bees" }, saving],
  ["a save blocks a removal", saving, { act: "remove", topic: "Ghosts" }, saving],
  ["a save blocks saving again", saving, { act: "save again" }, saving],
  [
    "after a save the server's list is what is shown",
    saving,
    { act: "save succeeds" },
    { ...saving, unsaved: [], doing: { is: "saved" } },
  ],
  [
    "what was typed leaves the input once it is saved",
    { ...saving, box: " Ants " },
    { act: "save succeeds" },
    { ...saving, unsaved: [], doing: { is: "saved" } },
  ],
  [
    "what was typed stays in the input when it is not saved",
    { ...saving, box: " Ants " },
    { act: "save fails", sentence: "Not now." },
    { ...failed, box: " Ants " },
  ],
  [
    "a suggestion that is saved leaves what was typed",
    { ...saving, box: "Half typ" },
    { act: "save succeeds" },
    { ...saving, box: "Half typ", unsaved: [], doing: { is: "saved" } },
  ],
  [
    "leaving the page keeps a save under way, and lets nothing stand out any more",
    saving,
    { act: "leave" },
    { ...saving, landed: null },
  ],
  ["leaving the page keeps a failed save", failed, { act: "leave" }, { ...failed, landed: null }],
  [
    "leaving the page keeps what was typed and ends a rule's sentence",
    refused,
    { act: "leave" },
    { ...untouched, box: "ab" },
  ],
  [
    "a failed save is told, and rolls nothing back",
    saving,
    { act: "save fails", sentence: "Not now." },
    failed,
  ],
  ["what could not be saved can be saved again", failed, { act: "save again" }, { ...saving, landed: null }],
  ["without anything unsaved there is nothing to save again", untouched, { act: "save again" }, untouched],
  [
    "the next change is saved along with what could not be saved before",
    failed,
    { act: "add", suggestion: "Bees" },
    { ...saving, unsaved: [adding, { kind: "add", topic: "Bees" }], landed: "Bees" },
  ],
  [
    "what is on screen and unsaved counts as being in the list",
    failed,
    { act: "add", suggestion: "ants" },
    { ...failed, doing: { is: "refused", sentence: '"ants" is already in your blocked list.', seconds: 3 } },
  ],
  ["a rule's sentence leaves", refused, { act: "sentence leaves" }, { ...untouched, box: "ab" }],
  ["a failed save's sentence stays", failed, { act: "sentence leaves" }, failed],
])("%s", (_fact, now, act, then) => {
  expect(after(now, act, ["Ghosts"])).toEqual(then);
});

test.each<[fact: string, kept: string[], changes: Change[], then: string[]]>([
  ["without changes the list is the server's", ["Ghosts"], [], ["Ghosts"]],
  ["what is added goes to the end", ["Ghosts"], [adding], ["Ghosts", "Ants"]],
  ["what somebody else added already stays as they spelled it", ["ANTS"], [adding], ["ANTS"]],
  ["what is removed goes", ["Ghosts", "Ants"], [{ kind: "remove", topic: "Ghosts" }], ["Ants"]],
  ["what somebody else removed already is gone", ["Ants"], [{ kind: "remove", topic: "Ghosts" }], ["Ants"]],
  ["changes are made in their order", [], [adding, { kind: "remove", topic: "Ants" }, adding], ["Ants"]],
  ["a mandatory topic is nobody's own", ["Ghosts", "violence, hate, and harassment"], [], ["Ghosts"]],
])("%s", (_fact, kept, changes, then) => {
  expect(withChanges(kept, changes)).toEqual(then);
});

const kept = { topics: ["Ghosts"], guardians: 2 };

test.each<[fact: string, list: Parameters<typeof screenOf>[0], screen: ReturnType<typeof screenOf>]>([
  ["no answer yet is loading", { failure: null, kept: undefined }, { is: "loading" }],
  [
    "a list that can't be loaded says why",
    { failure: "Not now.", kept: undefined },
    { is: "load failed", sentence: "Not now." },
  ],
  [
    "a list that can't be loaded is emptied",
    { failure: "Not now.", kept },
    { is: "load failed", sentence: "Not now." },
  ],
  [
    "a loaded list is shown with what was changed",
    { failure: null, kept },
    { is: "loaded", own: ["Ghosts", "Ants"], guardians: 2 },
  ],
])("%s", (_fact, list, screen) => {
  expect(screenOf(list, [adding])).toEqual(screen);
});
