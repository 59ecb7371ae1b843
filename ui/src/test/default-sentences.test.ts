import { expect, test } from "vitest";

import * as activities from "../activities/queries";
import * as blockedTopics from "../blocked-topics/queries";
import { receiptsSentence } from "../blocked-topics/receipts";
import { childrenSentence } from "../children/children";
import * as retention from "../retention/queries";
import { saveSentence } from "../rules/saved-edit";
import { changesSentence } from "../settings/queries";
import * as summary from "../summary/queries";
import * as times from "../times/queries";
import * as transcripts from "../transcripts/queries";

test.each([
  [childrenSentence, "An unknown error occurred while fetching children."],
  [summary.loadSentence, "Error loading summary: An unknown error occurred while fetching the summary."],
  [activities.loadSentence, "Error loading activities: An unknown error occurred while fetching activities."],
  [activities.feedbackSentence, "An unknown error occurred during feedback submission."],
  [transcripts.listSentence, "An unknown error occurred fetching session list."],
  [
    transcripts.transcriptSentence,
    "Error loading transcript: An unknown error occurred fetching transcript detail.",
  ],
  [blockedTopics.loadSentence, "An unknown error occurred fetching blocked topics."],
  [saveSentence, "An unknown error occurred during saving."],
  [receiptsSentence, "An unknown error occurred fetching who follows the list."],
  [times.loadSentence, "Error loading the times: An unknown error occurred while fetching the times."],
  [retention.deleteSentence, "An unknown error occurred while erasing."],
  [retention.moveSentence, "An unknown error occurred while moving."],
  [retention.undeleteSentence, "An unknown error occurred while bringing it back."],
  [retention.copySentence, "An unknown error occurred while downloading."],
  [
    retention.deletedSentence,
    "Error loading what was erased: An unknown error occurred while fetching what was erased.",
  ],
  [changesSentence, "Error loading the changes: An unknown error occurred while fetching the changes."],
])("a failure without a message has a default message: %#", (sentence, words) => {
  for (const error of [undefined, new Error(""), new Error(" ")]) expect(sentence(error)).toBe(words);
});
