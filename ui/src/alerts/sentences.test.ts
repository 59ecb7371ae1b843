import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { type AnyAlert, alertSentence, bellSentence, dayOf, deletionSentence, rings } from "./sentences";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(2026, 10, 27, 20, 0) });
});

afterEach(() => {
  vi.useRealTimers();
});

function alert(changed: Partial<AnyAlert>): AnyAlert {
  const at = new Date(2026, 10, 27, 19, 42).toISOString();
  return {
    alert_id: 1,
    kind: "phrase",
    arrived_at: at,
    at,
    unseen: true,
    dealt_with: false,
    count: 1,
    session_id: 1,
    assistant: "Kitchen",
    ...changed,
  };
}

const phrase = { words: "our secret", side: "either" } as const;
const during9 = { at: new Date(2026, 10, 27, 21, 12).toISOString(), minutes: 6 };

test.each<[Partial<AnyAlert>, string]>([
  [{ phrase }, `"Our secret" was said in Mia's conversation with Kitchen at 7:42 PM.`],
  [
    { phrase, count: 3 },
    `"Our secret" was said in Mia's conversation with Kitchen at 7:42 PM. 3 messages have it.`,
  ],
  [
    {
      kind: "reviewer",
      flagged: { concern: "self_harm", severity: "look", model: "llama", not_worrying: false },
    },
    `An AI reader flagged "self-harm" in Mia's conversation with Kitchen, at 7:42 PM. It can be wrong.`,
  ],
  [
    { kind: "outside_times", why: "quiet_hours", ...during9 },
    "Mia and Kitchen talked for 6 minutes during quiet hours, from 9:12 PM.",
  ],
  [
    { kind: "outside_times", why: "paused", ...during9, minutes: 1 },
    "Mia and Kitchen talked for 1 minute during a pause, from 9:12 PM.",
  ],
  [
    { kind: "outside_times", why: "time_used_up", ...during9 },
    "Mia and Kitchen talked for 6 minutes after the day's minutes were used up, from 9:12 PM.",
  ],
  [
    { kind: "rules", minutes: 14 },
    "Kitchen talked with Mia for 14 minutes without confirming your current rules.",
  ],
  [{ kind: "rules" }, "Kitchen refused your current rules for Mia, at 7:42 PM."],
  [
    { kind: "not_kept", count: 2 },
    "2 messages from Mia's conversation with Kitchen at 7:42 PM could not be saved.",
  ],
  [{ kind: "not_kept" }, "1 message from Mia's conversation with Kitchen at 7:42 PM could not be saved."],
  [
    { kind: "silent", at: new Date(2026, 10, 24, 8, 0).toISOString() },
    "Kitchen has not connected since Tuesday, so Mia's conversations there may be missing.",
  ],
  [
    { kind: "silent", at: new Date(2026, 10, 10, 8, 0).toISOString() },
    "Kitchen has not connected since Nov 10, so Mia's conversations there may be missing.",
  ],
  [
    { kind: "silent", all_assistants: true, at: new Date(2026, 10, 24, 8, 0).toISOString() },
    "None of Mia's assistants has connected since Tuesday, so conversations may be missing.",
  ],
])("%o reads as a parent expects", (changed, sentence) => {
  expect(alertSentence(alert(changed), "Mia")).toBe(sentence);
});

test("without its name the assistant is any", () => {
  const { assistant: _, ...deleted } = alert({ phrase });

  expect(alertSentence(deleted, "Mia")).toBe(
    `"Our secret" was said in Mia's conversation with an assistant at 7:42 PM.`,
  );
});

test("right-to-left names and phrases don't reorder the sentence", () => {
  const arabic = alert({ phrase: { words: "سرنا", side: "child" }, assistant: "مطبخ" });

  expect(alertSentence(arabic, "مريم")).toBe(
    '"\u2068سرنا\u2069" was said in \u2068مريم\u2069\'s conversation with \u2068مطبخ\u2069 at 7:42 PM.',
  );
});

test("a conversation that was deleted for its age names the period", () => {
  const until = new Date(2026, 11, 2, 10, 0).toISOString();
  expect(deletionSentence(alert({ deleted_older_than_days: 90, restorable_until: until }))).toBe(
    "Older than you keep conversations. You can restore it until Dec 2.",
  );
});

test("what became of a deleted conversation", () => {
  const until = new Date(2026, 11, 2, 9, 0).toISOString();
  const robin = { is_you: false, name: "Robin" };

  expect(deletionSentence(alert({ deleted_by: robin, restorable_until: until }))).toBe(
    "Robin deleted this conversation. You can restore it until Dec 2.",
  );
  expect(deletionSentence(alert({ deleted_by: { is_you: true }, restorable_until: until }))).toBe(
    "You deleted this conversation. You can restore it until Dec 2.",
  );
  expect(deletionSentence(alert({ restorable_until: until }))).toBe(
    "A former guardian deleted this conversation. You can restore it until Dec 2.",
  );
  expect(deletionSentence(alert({}))).toBeNull();
});

test("an alert about silence has the day on which it was noticed, others the day on which it happened", () => {
  const times = { at: "2026-11-24T08:00:00Z", arrived_at: "2026-11-26T08:00:00Z" };

  expect(dayOf(alert({ kind: "silent", ...times }))).toBe(times.arrived_at);
  expect(dayOf(alert({ phrase, ...times }))).toBe(times.at);
});

test("the bell says its number in words, and not 'none' before it is known", () => {
  expect([null, 0, 3, 100].map((unseen) => bellSentence(unseen, false))).toEqual([
    "Alerts",
    "Alerts: none new",
    "Alerts: 3 new",
    "Alerts: 100 or more new",
  ]);
  expect([null, 0, 3].map((unseen) => bellSentence(unseen, true))).toEqual([
    "Alerts: please look now",
    "Alerts: please look now",
    "Alerts: please look now, 3 new",
  ]);
});

test("only what the child heard or when counts in the bell, not the plumbing", () => {
  const kinds = ["phrase", "outside_times", "rules", "not_kept", "silent"] as const;

  expect(kinds.filter((kind) => rings({ kind }))).toEqual(["phrase", "outside_times"]);
});

test("what a model pointed at counts unless the guardian finds it not worrying", () => {
  const flagged = { concern: "danger", severity: "look", model: "m" } as const;
  const kind = "reviewer";

  expect(rings({ kind, flagged: { ...flagged, not_worrying: false } })).toBe(true);
  expect(rings({ kind, flagged: { ...flagged, not_worrying: true } })).toBe(false);
});
