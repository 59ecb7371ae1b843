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
  ["blocked_topics", nothing, "Topic Block List"],
  ["quiet_hours", { ...nothing, added: ["20:00/07:00"] }, "Quiet hours: (nothing) → 8:00 PM – 7:00 AM"],
  ["quiet_hours", { ...nothing, removed: ["20:00/07:00"] }, "Quiet hours: 8:00 PM – 7:00 AM → (nothing)"],
  [
    "quiet_hours",
    { ...nothing, added: ["20:00/07:00"], removed: ["21:30/07:00"] },
    "Quiet hours: 9:30 PM – 7:00 AM → 8:00 PM – 7:00 AM",
  ],
  ["quiet_hours", { ...nothing, added: ["20:00/07:00", "12:00/13:00"] }, "Quiet hours"],
  ["quiet_hours", nothing, "Quiet hours"],
  ["minutes_a_day", { ...nothing, value: "45" }, "Daily limit: 45 minutes"],
  ["minutes_a_day", { ...nothing, value: "1" }, "Daily limit: 1 minute"],
  ["minutes_a_day", nothing, "Daily limit: No limit"],
  ["time_zone", { ...nothing, value: "Asia/Tokyo" }, "Time zone: Japan Standard Time"],
  ["retention", { ...nothing, value: "90" }, "How long conversations are kept: for 90 days"],
  ["retention", { ...nothing, value: "365" }, "How long conversations are kept: for 1 year"],
  ["retention", nothing, "How long conversations are kept: for ever"],
  ["retention_asked", { ...nothing, value: "30" }, "How long conversations are kept: asked, for 30 days"],
  [
    "paused",
    { ...nothing, value: new Date(2026, 10, 27, 19, 24).toISOString() },
    "Paused until today 7:24 PM",
  ],
  ["paused", nothing, "Paused until resumed"],
  ["assistant_connected", { ...nothing, value: "Kitchen" }, "connected an assistant"],
] as const)("%s with %j is written as: %s", (what, details, words) => {
  const copied = { ...details, added: [...details.added], removed: [...details.removed] };
  expect(plain(whatWasDone({ what, details: copied }, now))).toBe(words);
});

test("an entry of an older version is written in general", () => {
  expect(whatWasDone({ what: "blocked_topics" }, now)).toBe("Topic Block List");
  expect(whatWasDone({ what: "paused" }, now)).toBe("Pause");
});
