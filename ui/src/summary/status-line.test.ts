import { expect, test } from "vitest";

import { type TalkStatus, failureOfPause, noAnswerSentence, statusSentence } from "./status-line";
import { viewersZone } from "../format/dates";

const now = new Date(2026, 10, 23, 18, 24);

/** A time of this day by the viewer's clock, or of another day. */
function at(hour: number, minute: number, day = 23): string {
  return new Date(2026, 10, day, hour, minute).toISOString();
}

function status(more: Partial<TalkStatus>): TalkStatus {
  return { state: "not_talking", talking: [], unconfirmed: [], ...more };
}

const long = "Grandmother's big kitchen speaker upstairs";

test.each<[Partial<TalkStatus>, string]>([
  [{ state: "no_assistant" }, "No assistant connected."],
  [{}, "Not talking"],
  [{ last_heard: { last_message_time: at(17, 40), session_id: 7, assistant: "Kitchen" } }, "Not talking"],
  [{ state: "talking", talking: ["Kitchen"], session_id: 7 }, "Talking with Kitchen now"],
  [{ state: "talking", session_id: 7 }, "Talking now"],
  [{ state: "talking", talking: ["Kitchen", "Car"], session_id: 7 }, "Talking with Kitchen and Car now"],
  [{ state: "talking", talking: ["Car", long], session_id: 7 }, "Talking with 2 assistants now"],
  [{ state: "talking", talking: ["A", "B", "C"], session_id: 7 }, "Talking with 3 assistants now"],
  [
    { state: "talking", talking: ["Kitchen"], session_id: 7, why: "quiet_hours" },
    "Talking with Kitchen now, in quiet hours",
  ],
  [
    { state: "talking", talking: ["Kitchen"], session_id: 7, why: "time_used_up" },
    "Talking with Kitchen now, past the daily limit",
  ],
  [{ state: "quiet_hours", why: "quiet_hours", until: at(19, 0) }, "Quiet hours until 7:00 PM"],
  [
    { state: "quiet_hours", why: "quiet_hours", until: at(7, 0, 24) },
    "Quiet hours until Tue, Nov 24, 7:00 AM",
  ],
  [{ state: "quiet_hours", why: "quiet_hours" }, "Quiet hours"],
  [{ state: "time_used_up", why: "time_used_up", until: at(0, 0, 24) }, "Daily limit reached"],
  [
    { state: "pausing", unconfirmed: ["Living room"], until: at(19, 24) },
    "Paused until 7:24 PM. No answer yet from Living room. It may go on talking.",
  ],
  [
    { state: "pausing", unconfirmed: ["Car", "Kitchen"], until: at(7, 0, 24) },
    "Paused until Tue, Nov 24, 7:00 AM. No answer yet from Car and Kitchen. They may go on talking.",
  ],
  [
    { state: "pausing", unconfirmed: [long] },
    "Paused until resumed. No answer yet from an assistant. It may go on talking.",
  ],
  [
    { state: "pausing", unconfirmed: ["A", "B", "C"] },
    "Paused until resumed. No answer yet from 3 assistants. They may go on talking.",
  ],
  [{ state: "paused", until: at(19, 24), paused_by: { is_you: true, name: "Ada" } }, "Paused until 7:24 PM"],
  [{ state: "paused", paused_by: { is_you: false, name: "Robin" } }, "Paused until resumed · Robin"],
  [{ state: "paused", paused_by: { is_you: false } }, "Paused until resumed · Another guardian"],
  [{ state: "paused", until: at(19, 24) }, "Paused until 7:24 PM"],
  [
    { state: "still_talking", talking: ["Kitchen"], unconfirmed: ["Kitchen"], until: at(19, 24) },
    "Paused until 7:24 PM, but Kitchen is still talking",
  ],
  [{ state: "still_talking", talking: [] }, "Paused until resumed, but an assistant is still talking"],
  [
    { state: "still_talking", talking: ["Car", "Kitchen"], unconfirmed: ["Kitchen", "Room"] },
    "Paused until resumed, but Car and Kitchen are still talking. No answer yet from Room. It may go on talking.",
  ],
])("%j reads '%s'", (more, sentence) => {
  const one = status(more);
  const sentences = [statusSentence(one, viewersZone(), now), noAnswerSentence(one) ?? []].flat();
  expect(sentences.join(". ")).toBe(sentence);
});

test("times in another zone than the viewer's name it", () => {
  const paused = status({ state: "paused", until: at(19, 24) });

  expect(statusSentence(paused, "Asia/Kathmandu", now)).toMatch(/^Paused until .* \(Nepal Time\)$/u);
});

test("a right-to-left name doesn't reorder the sentence", () => {
  const sentence = statusSentence(status({ state: "talking", talking: ["مطبخ"] }), viewersZone(), now);

  expect(sentence).toBe("Talking with \u2068مطبخ\u2069 now");
});

test.each([
  ["pause", "Not paused. Porchlight can't be reached."],
  ["end pause", "Still paused. Porchlight can't be reached."],
] as const)("a failed change of the kind '%s' says what is so", (kind, sentence) => {
  expect(failureOfPause(kind, "Porchlight can't be reached.")).toBe(sentence);
});
