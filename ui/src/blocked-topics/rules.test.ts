/** The page's rules against the examples that the server's rules run too. */
import { expect, test } from "vitest";

import cases from "../../../tests/blocked-topics-cases.json";
import { type Act, type Editing, after, untouched, withChanges } from "./editing";
import {
  LONGEST,
  MOST,
  SHORTEST,
  caseless,
  isMandatory,
  lengthOf,
  mandatoryTopics,
  suggestedTopics,
  suggestionsBeside,
  tooGeneral,
} from "./rules";

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

/** What an act on a list leads to, in the words of the examples. */
function outcomeOf(before: Editing, act: Act, own: readonly string[]) {
  const then = after(before, act, own);
  if (then === before) return { outcome: "ignored" };
  if (then.doing.is === "refused") {
    const { sentence, seconds } = then.doing;
    return { outcome: "refused", sentence, seconds };
  }
  return {
    outcome: act.act === "add" ? "added" : "removed",
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
  return { ...untouched, box, doing: { is: saving === true ? "saving" : "editing" } };
}

test("the constants are those that the server holds too", () => {
  expect({
    mandatory: mandatoryTopics,
    suggested: suggestedTopics,
    too_general: tooGeneral,
    shortest: SHORTEST,
    longest: LONGEST,
    most: MOST,
  }).toEqual(cases.constants);
});

test.each(lengths)("$name counts $length characters", ({ text: of, length }) => {
  expect(lengthOf(text(of))).toBe(length);
});

test.each(adds)("adding $name is as in the examples", (example) => {
  const { own, box, suggestion, saving, clears_input } = example;
  const start = editingWith(text(box), saving);
  const act: Act = suggestion === undefined ? { act: "add" } : { act: "add", suggestion };

  expect(outcomeOf(start, act, list(own))).toEqual(expectedOf(example));
  const then = after(start, act, list(own));
  const settled = then === start ? then : after(then, { act: "save succeeds" }, list(own));
  expect(settled.box).toBe(clears_input ? "" : start.box);
});

test.each(removals)("removing $name is as in the examples", (example) => {
  const { own, topic, saving } = example;

  expect(outcomeOf(editingWith("", saving), { act: "remove", topic }, list(own))).toEqual(
    expectedOf(example),
  );
});

test.each(lists.filter(({ kept }) => kept !== undefined))(
  "typed one after the other, a list is kept as the server keeps it: $name",
  ({ sent, kept = [] }) => {
    let own: string[] = [];
    for (const box of list(sent)) {
      const then = after({ ...untouched, box }, { act: "add" }, own);
      own = withChanges(own, then.unsaved);
    }

    expect(own).toEqual(list(kept));
  },
);

test.each(lists.filter(({ refused }) => refused !== undefined))(
  "typed one after the other, a list gets the sentence that the server has for it: $name",
  ({ sent, refused }) => {
    const sentences: string[] = [];
    let own: string[] = [];
    for (const box of list(sent)) {
      const then = after({ ...untouched, box }, { act: "add" }, own);
      if (then.doing.is === "refused") sentences.push(then.doing.sentence);
      own = withChanges(own, then.unsaved);
    }

    expect(sentences).toContain(refused);
  },
);

test("a mandatory topic is one in any case", () => {
  expect(mandatoryTopics.map((topic) => topic.toUpperCase()).every(isMandatory)).toBe(true);
  expect(isMandatory("Violence")).toBe(false);
});

test("case and the way an accent was typed make no difference", () => {
  expect(caseless("CAFE\u0301")).toBe(caseless("café"));
  expect(caseless("cafe")).not.toBe(caseless("café"));
});

test("the suggestions are the examples that are not blocked already, whatever their case", () => {
  expect(suggestionsBeside([])).toEqual(suggestedTopics);
  expect(suggestionsBeside(["SUBSTANCE abuse and Addiction"])).toEqual(
    suggestedTopics.filter((topic) => topic !== "Substance Abuse and Addiction"),
  );
  expect(suggestionsBeside(suggestedTopics)).toEqual([]);
});
