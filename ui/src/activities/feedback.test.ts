import { expect, test } from "vitest";

import {
  type FeedbackAction,
  type FeedbackPanel,
  type FeedbackState,
  type FeedbackStateAction,
  closed,
  feedbackBody,
  feedbackReducer,
  feedbackStateReducer,
  initialFeedback,
  holdsUnsent,
  unsentVote,
} from "./feedback";

const typed = { activityId: "a", vote: "up", reason: "Fun" } as const;
const open: FeedbackPanel = { kind: "open", ...typed, failure: "It failed." };
const submitting: FeedbackPanel = { kind: "submitting", ...typed };

const cases: [string, FeedbackPanel, FeedbackAction, FeedbackPanel][] = [
  [
    "a button opens the panel",
    closed,
    { kind: "press", activityId: "a", vote: "up" },
    { kind: "open", activityId: "a", vote: "up", reason: "", failure: null },
  ],
  ["the same button closes it", open, { kind: "press", activityId: "a", vote: "up" }, closed],
  [
    "the other button switches direction and clears reason and error",
    open,
    { kind: "press", activityId: "a", vote: "down" },
    { kind: "open", activityId: "a", vote: "down", reason: "", failure: null },
  ],
  [
    "another activity's button opens that one's panel, without the reason of this one",
    open,
    { kind: "press", activityId: "b", vote: "up" },
    { kind: "open", activityId: "b", vote: "up", reason: "", failure: null },
  ],
  ["typing changes the reason", open, { kind: "type", reason: "Fun!" }, { ...open, reason: "Fun!" }],
  ["Cancel closes it", open, { kind: "cancel" }, closed],
  ["Submit clears the error and sends", open, { kind: "submit" }, submitting],
  ["success closes it", submitting, { kind: "submit succeeded" }, closed],
  [
    "a failure keeps what was typed",
    submitting,
    { kind: "submit failed", sentence: "No." },
    { ...open, failure: "No." },
  ],
  [
    "while it submits, a button does nothing",
    submitting,
    { kind: "press", activityId: "b", vote: "up" },
    submitting,
  ],
  ["while it submits, typing does nothing", submitting, { kind: "type", reason: "x" }, submitting],
  ["while it submits, Cancel does nothing", submitting, { kind: "cancel" }, submitting],
  ["there is only one submission at a time", submitting, { kind: "submit" }, submitting],
  ["a closed panel can't submit", closed, { kind: "submit" }, closed],
  ["a closed panel can't be typed into", closed, { kind: "type", reason: "x" }, closed],
];

test.each(cases)("%s", (_what, panel, action, next) => {
  expect(feedbackReducer(panel, action)).toEqual(next);
});

test.each([
  ["", { feedback: "up" }],
  ["  \n ", { feedback: "up" }],
  ["  Too easy \n", { feedback: "up", reason: "Too easy" }],
])("the reason %j is trimmed, and omitted if empty", (reason, sent) => {
  expect(feedbackBody("up", reason)).toEqual(sent);
});

function after(...actions: readonly FeedbackStateAction[]): FeedbackState {
  return actions.reduce(feedbackStateReducer, initialFeedback);
}

const like = { kind: "press", activityId: "a", vote: "up" } as const;
const other = { kind: "press", activityId: "b", vote: "down" } as const;

test.each<[string, FeedbackStateAction[], "up" | "down" | null, boolean]>([
  ["nothing was pressed", [], null, false],
  ["its own panel is open", [like], null, true],
  ["another activity's panel replaced its own", [like, other], "up", true],
  ["its panel is open again", [like, other, like], null, true],
  ["the guardian closed its panel", [like, { kind: "cancel" }], null, false],
  ["the guardian closed both panels", [like, other, like, like, other, other], null, false],
  [
    "the other vote was chosen and closed",
    [like, other, { ...like, vote: "down" }, { kind: "cancel" }],
    null,
    true,
  ],
  [
    "the other activity was submitted",
    [like, other, { kind: "submit" }, { kind: "submit succeeded" }],
    "up",
    true,
  ],
  ["it is no longer proposed", [like, other, { kind: "list", activityIds: ["b"] }], null, true],
  ["none is proposed", [like, other, { kind: "list", activityIds: [] }], null, false],
])("when %s, what is unsent is kept", (_what, actions, vote, unsent) => {
  const state = after(...actions);

  expect(unsentVote(state, "a")).toBe(vote);
  expect(holdsUnsent(state)).toBe(unsent);
});

test("a list that has everything changes nothing, and a running submission stays", () => {
  const state = after(like, other, { kind: "submit" });

  expect(feedbackStateReducer(state, { kind: "list", activityIds: ["a", "b", "c"] })).toBe(state);
  expect(feedbackStateReducer(state, { kind: "list", activityIds: ["a"] }).panel.kind).toBe("submitting");
});
