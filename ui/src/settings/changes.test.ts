import { expect, test } from "vitest";

import { whatWasDone } from "./changes";

const now = new Date(2026, 10, 27, 18, 0);
const nothing = { added: [], removed: [], more: 0 };

/** Replaces the narrow spaces of some ICU versions, and removes the isolates around names. */
function plain(text: string): string {
  return text.replaceAll("\u202F", " ").replaceAll(/[\u2068\u2069]/gu, "");
}

test.each([
  ["blocked_topics", { ...nothing, added: ["Sharks"] }, "blocked 'Sharks'"],
  ["blocked_topics", { ...nothing, removed: ["Guns"] }, "unblocked 'Guns'"],
  [
    "blocked_topics",
    { added: ["Sharks", "War"], removed: ["Guns"], more: 2 },
    "blocked 'Sharks', 'War', unblocked 'Guns' and 2 more",
  ],
  ["blocked_topics", nothing, "changed the blocked topics"],
  ["quiet_hours", { ...nothing, added: ["20:00/07:00"] }, "added quiet hours: 8:00 PM – 7:00 AM"],
  ["quiet_hours", { ...nothing, removed: ["20:00/07:00"] }, "removed quiet hours: 8:00 PM – 7:00 AM"],
  [
    "quiet_hours",
    { ...nothing, added: ["20:00/07:00"], removed: ["21:30/07:00"] },
    "changed quiet hours from 9:30 PM – 7:00 AM to 8:00 PM – 7:00 AM",
  ],
  ["quiet_hours", { ...nothing, added: ["20:00/07:00", "12:00/13:00"] }, "changed the quiet hours"],
  ["quiet_hours", nothing, "changed the quiet hours"],
  ["minutes_a_day", { ...nothing, value: "45" }, "changed the daily limit: 45 minutes"],
  ["minutes_a_day", { ...nothing, value: "1" }, "changed the daily limit: 1 minute"],
  ["minutes_a_day", nothing, "removed the daily limit"],
  ["time_zone", { ...nothing, value: "Asia/Tokyo" }, "changed the time zone: Japan Standard Time"],
  ["retention", { ...nothing, value: "90" }, "changed how long conversations are kept: for 90 days"],
  ["retention", { ...nothing, value: "365" }, "changed how long conversations are kept: for 1 year"],
  ["retention", nothing, "changed how long conversations are kept: for ever"],
  [
    "retention_asked",
    { ...nothing, value: "30" },
    "asked to keep conversations for a shorter time: for 30 days",
  ],
  [
    "paused",
    { ...nothing, value: new Date(2026, 10, 27, 19, 24).toISOString() },
    "paused talking until today 7:24 PM",
  ],
  ["paused", nothing, "paused talking until resumed"],
  ["assistant_connected", { ...nothing, value: "Kitchen" }, "connected an assistant"],
] as const)("%s with %j is written as: %s", (what, details, words) => {
  const copied = { ...details, added: [...details.added], removed: [...details.removed] };
  expect(plain(whatWasDone({ what, details: copied }, now))).toBe(words);
});

test("an entry of an older version is written in general", () => {
  expect(whatWasDone({ what: "blocked_topics" }, now)).toBe("changed the blocked topics");
  expect(whatWasDone({ what: "paused" }, now)).toBe("paused talking");
});
