import { expect, test } from "vitest";

import {
  type Figures,
  type Reviewer,
  notReviewedSentence,
  readerLine,
  stateSentences,
  verdict,
} from "./words";

const now = new Date(2026, 10, 27, 20, 0);
const since = new Date(2026, 10, 22, 18, 0).toISOString();
const dueAt = new Date(2026, 10, 30, 18, 0).toISOString();
const ben = { is_you: false, name: "Ben" };
const kim = { is_you: true };

function reviewer(changed: Partial<Reviewer>): Reviewer {
  return { state: "off", ended: false, at_home: false, not_reviewed: 0, ...changed };
}

function figures(found: number, missed: number, weekly: number, unfit: boolean): Figures {
  const none = { false_alarms: 0, quotes_not_there: 0, seconds: 1 };
  return {
    tested_at: since,
    concerns: [
      { concern: "hurt", found, missed: 0, ...none },
      { concern: "danger", found: 0, missed, ...none },
    ],
    false_alarms_a_week: weekly,
    unfit,
  };
}

test.each<[Partial<Reviewer>, string]>([
  [{ state: "unavailable" }, "Off"],
  [{ state: "untested" }, "Off"],
  [{ state: "off" }, "Off"],
  [{ state: "waiting", by: ben, since, confirmed: false }, "Waits for your answer"],
  [{ state: "waiting", by: kim, since, confirmed: true }, "Waits for the other guardians"],
  [{ state: "on", by: kim, since }, "On since Nov 22"],
])("App Settings say of %o: %s", (changed, line) => {
  expect(readerLine(reviewer(changed), now)).toBe(line);
});

test("while it waits, who wants it, whose answer is missing, and when it begins", () => {
  const waiting = reviewer({ state: "waiting", by: ben, since, shown: false, confirmed: false });

  expect(stateSentences(waiting, now)).toEqual([
    "Asked for by Ben, on Nov 22, 6:00 PM.",
    "Nothing is sent yet.",
    "It begins once every other guardian has agreed, or was shown this page for seven days.",
  ]);
  expect(stateSentences({ ...waiting, confirmed: true, due_at: dueAt }, now).slice(1)).toEqual([
    "Nothing is sent yet.",
    "It takes effect on Nov 30, unless a guardian stops it.",
  ]);
  expect(stateSentences({ ...waiting, by: kim, confirmed: true, due_at: since }, now)).toEqual([
    "Asked for by you, on Nov 22, 6:00 PM.",
    "Nothing is sent yet.",
    "It takes effect on Nov 22, unless a guardian stops it.",
  ]);
});

test("while it is on, who switched it on and when", () => {
  expect(stateSentences(reviewer({ state: "on", by: ben, since }), now)).toEqual([
    "Asked for by Ben, on Nov 22, 6:00 PM.",
  ]);
  expect(stateSentences(reviewer({ state: "on", since }), now)).toEqual([
    "Asked for by a former guardian, on Nov 22, 6:00 PM.",
  ]);
  expect(stateSentences(reviewer({ state: "off" }), now)).toEqual([]);
});

test("what the test found, and how often it is wrong in a week", () => {
  expect(verdict(figures(1100, 100, 1, false))).toBe(
    "In its test it pointed at 1,100 of 1,200 places that it should find, with 1 false alarm in an ordinary week.",
  );
  expect(verdict(figures(3, 1, 1.54, false))).toMatch(/, with 1\.5 false alarms in an ordinary week\.$/u);
});

test.each([
  [figures(0, 297, 0, true), "In its test it pointed at none of the 297 places it should have."],
  [figures(1, 2, 0, true), "In its test it pointed at only 1 of the 3 places it should have."],
  [figures(2, 2, 2.1, true), "In its test it raised 2.1 false alarms in an ordinary week."],
  [figures(0, 0, 0, true), "Its test was not complete."],
])("an unfit model isn't to be relied on, with the reason: %o", (measured, reason) => {
  expect(verdict(measured)).toBe(`${reason} Don't rely on it.`);
});

test("how many conversations were not reviewed", () => {
  expect([1, 3, 1200].map(notReviewedSentence)).toEqual([
    "1 conversation was not reviewed.",
    "3 conversations were not reviewed.",
    "1,200 conversations were not reviewed.",
  ]);
});
