import { expect, test } from "vitest";

import { receiptLine } from "./receipts";
import type { components } from "../api/generated/schema";

type Receipt = components["schemas"]["SessionReceipts"]["items"][number];

const now = new Date(2026, 10, 23);
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).toISOString();
const [nov19, nov21] = [at(19, 9), at(21, 18, 12)];

function receipt(
  number: number,
  evidence: Receipt["evidence"],
  time: string,
  list?: string,
  refused?: string,
): Receipt {
  return {
    number,
    evidence,
    at: time,
    ...(list !== undefined && { topics_since: list }),
    ...(refused !== undefined && { refused }),
  };
}

test.each<[string, Receipt[], string]>([
  ["nothing", [], "did not say which list it followed"],
  ["set", [receipt(1, "set", at(21, 17), nov19)], "reports the list of Nov 19"],
  [
    "read back",
    [receipt(1, "in_prompt", at(21, 17), nov19)],
    "reports the list of Nov 19, found in the AI's prompt",
  ],
  [
    "fetched, set, and read back",
    [
      receipt(1, "fetched", at(21, 17), nov19),
      receipt(1, "set", at(21, 17), nov19),
      receipt(1, "in_prompt", at(21, 17, 1), nov19),
    ],
    "reports the list of Nov 19, found in the AI's prompt",
  ],
  [
    "read back, and a later version of the same list only set",
    [receipt(1, "in_prompt", at(21, 17), nov19), receipt(2, "set", at(21, 17, 5), nov19)],
    "reports the list of Nov 19",
  ],
  [
    "added by Porchlight",
    [receipt(1, "added", at(21, 17), nov19)],
    "had the list of Nov 19 in its prompt, added by Porchlight",
  ],
  [
    "added, and changed in the middle",
    [receipt(1, "added", at(21, 17), nov19), receipt(2, "added", at(21, 18, 12), nov21)],
    "had the list of Nov 19 in its prompt, added by Porchlight; 6:12 PM: had the list of Nov 21 in its prompt, added by Porchlight",
  ],
  [
    "added, and a later version of the same list only read back",
    [receipt(1, "added", at(21, 17), nov19), receipt(2, "in_prompt", at(21, 17, 5), nov19)],
    "reports the list of Nov 19, found in the AI's prompt",
  ],
  [
    "set, and the next list added",
    [receipt(1, "set", at(21, 17), nov19), receipt(2, "added", at(21, 18, 12), nov21)],
    "reports the list of Nov 19; 6:12 PM: had the list of Nov 21 in its prompt, added by Porchlight",
  ],
  [
    "fetched",
    [receipt(1, "fetched", at(21, 17), nov19)],
    "asked for the list of Nov 19 without confirming it",
  ],
  [
    "refused",
    [receipt(1, "fetched", at(21, 17), nov19, "too long for its model")],
    "refused the list of Nov 19: too long for its model",
  ],
  ["refused without a reason", [receipt(1, "set", at(21, 17), nov19, "")], "refused the list of Nov 19"],
  [
    "changed in the middle",
    [receipt(1, "in_prompt", at(21, 17), nov19), receipt(2, "set", at(21, 18, 12), nov21)],
    "reports the list of Nov 19, found in the AI's prompt; 6:12 PM: reports the list of Nov 21",
  ],
  [
    "changed in the middle, and the new one only fetched",
    [receipt(1, "set", at(21, 17), nov19), receipt(2, "fetched", at(21, 18, 12), nov21)],
    "reports the list of Nov 19; 6:12 PM: asked for the list of Nov 21 without confirming it",
  ],
  [
    "changed in the middle, and the new one refused",
    [receipt(1, "set", at(21, 17), nov19), receipt(2, "set", at(21, 18, 12), nov21, "too long")],
    "reports the list of Nov 19; 6:12 PM: refused the list of Nov 21: too long",
  ],
  [
    "taken up in the middle",
    [receipt(1, "fetched", at(21, 17), nov19), receipt(2, "in_prompt", at(21, 18, 12), nov21)],
    "asked for the list of Nov 19 without confirming it; 6:12 PM: reports the list of Nov 21, found in the AI's prompt",
  ],
  [
    "changed on the next day",
    [receipt(1, "set", at(21, 17), nov19), receipt(2, "set", at(22, 0, 5), nov21)],
    "reports the list of Nov 19; Nov 22, 12:05 AM: reports the list of Nov 21",
  ],
  [
    "two lists of one day",
    [receipt(1, "set", at(21, 17), at(19, 8)), receipt(2, "set", at(21, 18), at(19, 9))],
    "reports the list of Nov 19, 8:00 AM; 6:00 PM: reports the list of Nov 19, 9:00 AM",
  ],
  [
    "the list before the first change, and the next one",
    [receipt(0, "set", at(21, 17)), receipt(1, "set", at(21, 18, 12), nov21)],
    "reports the first list; 6:12 PM: reports the list of Nov 21",
  ],
  [
    "the list again after a question for it",
    [receipt(1, "set", at(21, 17), nov19), receipt(1, "fetched", at(21, 18), nov19)],
    "reports the list of Nov 19",
  ],
])("of a session with %s is said what was reported", (_what, receipts, words) => {
  const line = receiptLine({ assistant: "Kitchen", items: receipts }, now);

  expect({ ...line, words: line.words.replaceAll("\u202F", " ") }).toEqual({ name: "Kitchen", words });
});

test("an assistant that was removed has no name", () => {
  expect(receiptLine({ items: [] }, now).name).toBe("The assistant");
});
