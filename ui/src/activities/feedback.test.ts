import { expect, test } from "vitest";

import { type FeedbackEvent, type FeedbackPanel, closed, feedbackOf, nextPanel } from "./feedback";

const typed = { activityId: "a", vote: "up", reason: "Fun" } as const;
const open: FeedbackPanel = { is: "open", ...typed, failure: "It failed." };
const submitting: FeedbackPanel = { is: "submitting", ...typed };

const cases: [string, FeedbackPanel, FeedbackEvent, FeedbackPanel][] = [
  [
    "a button opens the panel",
    closed,
    { did: "press", activityId: "a", vote: "up" },
    { is: "open", activityId: "a", vote: "up", reason: "", failure: null },
  ],
  ["the same button closes it", open, { did: "press", activityId: "a", vote: "up" }, closed],
  [
    "the other button switches direction and clears reason and error",
    open,
    { did: "press", activityId: "a", vote: "down" },
    { is: "open", activityId: "a", vote: "down", reason: "", failure: null },
  ],
  [
    "another activity's button opens that one's panel, without the reason of this one",
    open,
    { did: "press", activityId: "b", vote: "up" },
    { is: "open", activityId: "b", vote: "up", reason: "", failure: null },
  ],
  ["typing changes the reason", open, { did: "type", reason: "Fun!" }, { ...open, reason: "Fun!" }],
  ["Cancel closes it", open, { did: "cancel" }, closed],
  ["Submit clears the error and sends", open, { did: "submit" }, submitting],
  ["success closes it", submitting, { did: "succeed" }, closed],
  [
    "a failure keeps what was typed",
    submitting,
    { did: "fail", sentence: "No." },
    { ...open, failure: "No." },
  ],
  [
    "while it submits, a button does nothing",
    submitting,
    { did: "press", activityId: "b", vote: "up" },
    submitting,
  ],
  ["while it submits, typing does nothing", submitting, { did: "type", reason: "x" }, submitting],
  ["while it submits, Cancel does nothing", submitting, { did: "cancel" }, submitting],
  ["there is only one submission at a time", submitting, { did: "submit" }, submitting],
  ["a closed panel can't submit", closed, { did: "submit" }, closed],
  ["a closed panel can't be typed into", closed, { did: "type", reason: "x" }, closed],
];

test.each(cases)("%s", (_what, panel, event, next) => {
  expect(nextPanel(panel, event)).toEqual(next);
});

test.each([
  ["", { feedback: "up" }],
  ["  \n ", { feedback: "up" }],
  ["  Too easy \n", { feedback: "up", reason: "Too easy" }],
])("the reason %j is trimmed, and omitted if empty", (reason, sent) => {
  expect(feedbackOf("up", reason)).toEqual(sent);
});
