/** The page's rules against the examples that the server's rules run too. */
import { expect, test } from "vitest";

import cases from "../../../tests/blocked-topics-cases.json";
import { type Editing, type EditingAction, editingReducer, initialEditing, withChanges } from "./editing";
import {
  MAX_LENGTH,
  MAX_TOPICS,
  MIN_LENGTH,
  foldCase,
  isMandatory,
  mandatoryTopics,
  suggestedTopics,
  remainingSuggestions,
  tooGeneral,
} from "./rules";
import { lengthOf } from "../format/length";

type TextOf = string | { repeat: string; times: number };
type ListOf = readonly TextOf[] | { numbered: number; then?: readonly TextOf[] };

interface AddCase {
  name: string;
  own: ListOf;
  box: TextOf;
  suggestion?: string;
  saving?: boolean;
  outcome: string;
  sentence?: string;
  seconds?: number;
  own_after?: ListOf;
  clears_input: boolean;
}

interface RemoveCase {
  name: string;
  own: ListOf;
  topic: string;
  saving?: boolean;
  outcome: string;
  sentence?: string;
  seconds?: number;
  own_after?: ListOf;
}

const lengths: readonly { name: string; text: TextOf; length: number }[] = cases.length;
const lists: readonly { name: string; sent: ListOf; kept?: ListOf; refused?: string }[] = cases.lists;
const adds: readonly AddCase[] = cases.add;
const removals: readonly RemoveCase[] = cases.remove;

function text(of: TextOf): string {
  return typeof of === "string" ? of : of.repeat.repeat(of.times);
}

function list(of: ListOf): string[] {
  if (!("numbered" in of)) return of.map(text);
  const numbered = Array.from({ length: of.numbered }, (_, index) => `topic ${index + 1}`);
  return [...numbered, ...(of.then ?? []).map(text)];
}

/** The outcome of an action on a list, as the examples write it. */
function outcomeOf(before: Editing, action: EditingAction, own: readonly string[]) {
  const then = editingReducer(before, action, own);
  if (then === before) return { outcome: "ignored" };
  if (then.status.kind === "refused") {
    const { sentence, seconds } = then.status;
    return { outcome: "refused", sentence, seconds };
  }
  return {
    outcome: action.kind === "add" ? "added" : "removed",
    own_after: withChanges(own, then.unsaved),
  };
}

function expectedOf({ outcome, sentence, seconds, own_after }: AddCase | RemoveCase) {
  return {
    outcome,
    ...(sentence !== undefined && { sentence }),
    ...(seconds !== undefined && { seconds }),
    ...(own_after !== undefined && { own_after: list(own_after) }),
  };
}

function editingWith(box: string, saving: boolean | undefined): Editing {
  return { ...initialEditing, draft: box, status: { kind: saving === true ? "saving" : "idle" } };
}

test("the constants are the same as the server's", () => {
  expect({
    mandatory: mandatoryTopics,
    suggested: suggestedTopics,
    too_general: tooGeneral,
    shortest: MIN_LENGTH,
    longest: MAX_LENGTH,
    most: MAX_TOPICS,
  }).toEqual(cases.constants);
});

test.each(lengths)("$name counts $length characters", ({ text: of, length }) => {
  expect(lengthOf(text(of))).toBe(length);
});

test.each(adds)("adding $name has the expected outcome", (example) => {
  const { own, box, suggestion, saving, clears_input } = example;
  const start = editingWith(text(box), saving);
  const action: EditingAction = suggestion === undefined ? { kind: "add" } : { kind: "add", suggestion };

  expect(outcomeOf(start, action, list(own))).toEqual(expectedOf(example));
  const then = editingReducer(start, action, list(own));
  const settled = then === start ? then : editingReducer(then, { kind: "save succeeded" }, list(own));
  expect(settled.draft).toBe(clears_input ? "" : start.draft);
});

test.each(removals)("removing $name has the expected outcome", (example) => {
  const { own, topic, saving } = example;

  expect(outcomeOf(editingWith("", saving), { kind: "remove", topic }, list(own))).toEqual(
    expectedOf(example),
  );
});

test.each(lists.filter(({ kept }) => kept !== undefined))(
  "topics typed one after the other result in the server's list: $name",
  ({ sent, kept = [] }) => {
    let own: string[] = [];
    for (const draft of list(sent)) {
      const then = editingReducer({ ...initialEditing, draft }, { kind: "add" }, own);
      own = withChanges(own, then.unsaved);
    }

    expect(own).toEqual(list(kept));
  },
);

test.each(lists.filter(({ refused }) => refused !== undefined))(
  "topics typed one after the other result in the server's message: $name",
  ({ sent, refused }) => {
    const sentences: string[] = [];
    let own: string[] = [];
    for (const draft of list(sent)) {
      const then = editingReducer({ ...initialEditing, draft }, { kind: "add" }, own);
      if (then.status.kind === "refused") sentences.push(then.status.sentence);
      own = withChanges(own, then.unsaved);
    }

    expect(sentences).toContain(refused);
  },
);

test("mandatory topics are recognised in any case", () => {
  expect(mandatoryTopics.map((topic) => topic.toUpperCase()).every(isMandatory)).toBe(true);
  expect(isMandatory("Violence")).toBe(false);
});

test("case and Unicode normalisation are ignored", () => {
  expect(foldCase("CAFE\u0301")).toBe(foldCase("café"));
  expect(foldCase("cafe")).not.toBe(foldCase("café"));
});

test("suggestions that are already blocked, in any case, are left out", () => {
  expect(remainingSuggestions([])).toEqual(suggestedTopics);
  expect(remainingSuggestions(["SUBSTANCE abuse and Addiction"])).toEqual(
    suggestedTopics.filter((topic) => topic !== "Substance Abuse and Addiction"),
  );
  expect(remainingSuggestions(suggestedTopics)).toEqual([]);
});
