import { expect, test } from "vitest";

import { type Talk, minutesUsed, talkSentences, untilChange } from "./talk";

const now = new Date("2026-11-23T12:00:00Z");
const tonight = "2026-11-23T19:30:00Z";
const tomorrow = "2026-11-24T06:00:00Z";

test.each<[Talk, string]>([
  [{ allowed: true }, "Mia may talk now."],
  [{ allowed: true, seconds_left: 119 }, "Mia may talk now. 1 minute left today."],
  [
    { allowed: true, seconds_left: 1800, until: tonight },
    "Mia may talk now. 30 minutes left today. The next quiet hours begin: 8:30 PM.",
  ],
  [
    { allowed: true, until: "2026-11-24T19:30:00Z" },
    "Mia may talk now. The next quiet hours begin: Tue, Nov 24, 8:30 PM.",
  ],
  [{ allowed: false, why: "paused" }, "Paused until resumed."],
  [{ allowed: false, why: "paused", until: "2026-11-23T13:00:00Z" }, "Paused until 2:00 PM."],
  [{ allowed: false, why: "quiet_hours", until: tomorrow }, "Quiet hours until Tue, Nov 24, 7:00 AM."],
  [{ allowed: false, why: "time_used_up", until: tomorrow }, "Daily limit reached."],
])("of %j is said, by the child's clock: %s", (talk, words) => {
  const sentences = talkSentences("Mia", talk, "Europe/Berlin", now);
  expect(sentences.replaceAll("\u202F", " ")).toBe(words);
});

test.each([
  [0, "0 minutes used today."],
  [59, "0 minutes used today."],
  [60, "1 minute used today."],
  [3599, "59 minutes used today."],
])("%i seconds are shown as: %s", (seconds, words) => {
  expect(minutesUsed(seconds)).toBe(words);
});

test.each([
  ["2026-11-21T20:30:00Z", 1_800_000],
  ["2026-11-21T19:59:59Z", 1000],
  ["2027-11-21T20:00:00Z", 2 ** 31 - 1],
  [undefined, false],
])("a status until %s is refetched after %j ms", (until, ms) => {
  expect(untilChange(until, new Date("2026-11-21T20:00:00Z"))).toBe(ms);
});
