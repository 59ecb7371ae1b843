import { expect, test } from "vitest";

import * as activities from "../activities/queries";
import { type ErrorTexts, errorMessage } from "../api/problem";
import * as blockedTopics from "../blocked-topics/queries";
import * as children from "../children/children";
import * as rules from "../rules/queries";
import * as summary from "../summary/queries";
import * as transcripts from "../transcripts/queries";

test.each<[feature: { errorTexts: ErrorTexts }, what: string, words: string]>([
  [children, "load", "An unknown error occurred while fetching children."],
  [summary, "load", "Error loading summary: An unknown error occurred while fetching the summary."],
  [activities, "load", "Error loading activities: An unknown error occurred while fetching activities."],
  [activities, "feedback", "An unknown error occurred during feedback submission."],
  [transcripts, "list", "An unknown error occurred fetching session list."],
  [
    transcripts,
    "transcript",
    "Error loading transcript: An unknown error occurred fetching transcript detail.",
  ],
  [blockedTopics, "load", "An unknown error occurred fetching blocked topics."],
  [rules, "save", "An unknown error occurred during saving."],
])("a failure without a message has a default message: %#", ({ errorTexts }, what, words) => {
  const { [what]: text = "" } = errorTexts;
  for (const error of [undefined, new Error(""), new Error(" ")])
    expect(errorMessage(error, text)).toBe(words);
});

test("without words of a feature the default message is always the same", () => {
  expect(errorMessage(new Error(""))).toBe("That didn't work. Please try again.");
});
