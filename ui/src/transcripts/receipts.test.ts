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
  ["set", [receipt(1, "set", at(21, 17), nov19)], "Says it follows this list · the list of Nov 19"],
  ["read back", [receipt(1, "in_prompt", at(21, 17), nov19)], "Uses your list · the list of Nov 19"],
  [
    "fetched, set, and read back",
    [
      receipt(1, "fetched", at(21, 17), nov19),
      receipt(1, "set", at(21, 17), nov19),
      receipt(1, "in_prompt", at(21, 17, 1), nov19),
    ],
    "Uses your list · the list of Nov 19",
  ],
  [
    "read back, and a later version of the same list only set",
    [receipt(1, "in_prompt", at(21, 17), nov19), receipt(2, "set", at(21, 17, 5), nov19)],
    "Says it follows this list · the list of Nov 19",
  ],
  [
    "added by Porchlight",
    [receipt(1, "added", at(21, 17), nov19)],
    "Added by Porchlight · the list of Nov 19",
  ],
  [
    "added, and changed in the middle",
    [receipt(1, "added", at(21, 17), nov19), receipt(2, "added", at(21, 18, 12), nov21)],
    "Added by Porchlight · the list of Nov 19; 6:12 PM: Added by Porchlight · the list of Nov 21",
  ],
  [
    "added, and a later version of the same list only read back",
    [receipt(1, "added", at(21, 17), nov19), receipt(2, "in_prompt", at(21, 17, 5), nov19)],
    "Uses your list · the list of Nov 19",
  ],
  [
    "set, and the next list added",
    [receipt(1, "set", at(21, 17), nov19), receipt(2, "added", at(21, 18, 12), nov21)],
    "Says it follows this list · the list of Nov 19; 6:12 PM: Added by Porchlight · the list of Nov 21",
  ],
  [
    "fetched",
    [receipt(1, "fetched", at(21, 17), nov19)],
    "got your list, hasn't said it uses it · the list of Nov 19",
  ],
  [
    "refused",
    [receipt(1, "fetched", at(21, 17), nov19, "too long for its model")],
    "couldn't take your list: too long for its model · the list of Nov 19",
  ],
  [
    "refused without a reason",
    [receipt(1, "set", at(21, 17), nov19, "")],
    "couldn't take your list · the list of Nov 19",
  ],
  [
    "changed in the middle",
    [receipt(1, "in_prompt", at(21, 17), nov19), receipt(2, "set", at(21, 18, 12), nov21)],
    "Uses your list · the list of Nov 19; 6:12 PM: Says it follows this list · the list of Nov 21",
  ],
  [
    "changed in the middle, and the new one only fetched",
    [receipt(1, "set", at(21, 17), nov19), receipt(2, "fetched", at(21, 18, 12), nov21)],
    "Says it follows this list · the list of Nov 19; 6:12 PM: got your list, hasn't said it uses it · the list of Nov 21",
  ],
  [
    "changed in the middle, and the new one refused",
    [receipt(1, "set", at(21, 17), nov19), receipt(2, "set", at(21, 18, 12), nov21, "too long")],
    "Says it follows this list · the list of Nov 19; 6:12 PM: couldn't take your list: too long · the list of Nov 21",
  ],
  [
    "taken up in the middle",
    [receipt(1, "fetched", at(21, 17), nov19), receipt(2, "in_prompt", at(21, 18, 12), nov21)],
    "got your list, hasn't said it uses it · the list of Nov 19; 6:12 PM: Uses your list · the list of Nov 21",
  ],
  [
    "changed on the next day",
    [receipt(1, "set", at(21, 17), nov19), receipt(2, "set", at(22, 0, 5), nov21)],
    "Says it follows this list · the list of Nov 19; Nov 22, 12:05 AM: Says it follows this list · the list of Nov 21",
  ],
  [
    "two lists of one day",
    [receipt(1, "set", at(21, 17), at(19, 8)), receipt(2, "set", at(21, 18), at(19, 9))],
    "Says it follows this list · the list of Nov 19, 8:00 AM; 6:00 PM: Says it follows this list · the list of Nov 19, 9:00 AM",
  ],
  [
    "the list before the first change, and the next one",
    [receipt(0, "set", at(21, 17)), receipt(1, "set", at(21, 18, 12), nov21)],
    "Says it follows this list · the first list; 6:12 PM: Says it follows this list · the list of Nov 21",
  ],
  [
    "the list again after a question for it",
    [receipt(1, "set", at(21, 17), nov19), receipt(1, "fetched", at(21, 18), nov19)],
    "Says it follows this list · the list of Nov 19",
  ],
])("of a session with %s is said what was reported", (_what, receipts, words) => {
  const line = receiptLine({ assistant: "Kitchen", items: receipts }, now);

  expect({ ...line, words: line.words.replaceAll("\u202F", " ") }).toEqual({ name: "Kitchen", words });
});

test("an assistant that was removed has no name", () => {
  expect(receiptLine({ items: [] }, now).name).toBe("The assistant");
});
