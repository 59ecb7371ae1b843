import { expect, test } from "vitest";

import { type TalkStatus, pauseEnd, pendingSentence, statusSentence } from "./status-line";
import { viewersZone } from "../format/dates";

const now = new Date(2026, 10, 23, 18, 24);

/** A time of this day by the viewer's clock, or of another day. */
function at(hour: number, minute: number, day = 23): string {
  return new Date(2026, 10, day, hour, minute).toISOString();
}

function status(more: Partial<TalkStatus>): TalkStatus {
  return { state: "not_talking", talking: [], unconfirmed: [], ...more };
}

function heard(time: string, assistant?: string): Partial<TalkStatus> {
  return { last_heard: { at: time, session_id: 7, ...(assistant !== undefined && { assistant }) } };
}

const long = "Grandmother's big kitchen speaker upstairs";

test.each<[Partial<TalkStatus>, string]>([
  [{ state: "no_assistant" }, "No assistant connected"],
  [{}, "Not talking. Nothing heard yet"],
  [heard(at(17, 40), "Kitchen"), "Not talking. Last heard from Kitchen today, 5:40 PM"],
  [heard(at(21, 5, 22), "Kitchen"), "Not talking. Last heard from Kitchen yesterday, 9:05 PM"],
  [heard(at(21, 5, 19)), "Not talking. Last heard Nov 19, 9:05 PM"],
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
  [{ state: "pausing", unconfirmed: ["Kitchen"] }, "Pausing. Kitchen hasn't confirmed yet"],
  [{ state: "pausing", unconfirmed: ["Car", "Kitchen"] }, "Pausing. Car and Kitchen haven't confirmed yet"],
  [{ state: "pausing", unconfirmed: ["A", "B", "C"] }, "Pausing. 3 assistants haven't confirmed yet"],
  [
    { state: "paused", until: at(19, 24), paused_by: { is_you: true, name: "Ada" } },
    "Paused by you until 7:24 PM",
  ],
  [{ state: "paused", paused_by: { is_you: false, name: "Robin" } }, "Paused by Robin until resumed"],
  [{ state: "paused", paused_by: { is_you: false } }, "Paused by another guardian until resumed"],
  [{ state: "paused", until: at(19, 24) }, "Paused until 7:24 PM"],
  [
    { state: "still_talking", talking: ["Kitchen"], unconfirmed: ["Kitchen"] },
    "Paused, but Kitchen is still talking",
  ],
  [{ state: "still_talking", talking: [] }, "Paused, but an assistant is still talking"],
  [
    { state: "still_talking", talking: ["Car", "Kitchen"], unconfirmed: ["Kitchen", "Room"] },
    "Paused, but Car and Kitchen are still talking. Room hasn't confirmed yet",
  ],
])("%j reads '%s'", (more, sentence) => {
  expect(statusSentence(status(more), viewersZone(), now)).toBe(sentence);
});

test.each<[Partial<TalkStatus>, string | null]>([
  [{ state: "pausing", unconfirmed: ["Kitchen"], until: at(19, 24) }, "Until 7:24 PM"],
  [{ state: "pausing", unconfirmed: ["Kitchen"], until: at(7, 0, 24) }, "Until Tue, Nov 24, 7:00 AM"],
  [{ state: "pausing", unconfirmed: ["Kitchen"] }, "Until resumed"],
  [{ state: "still_talking", talking: ["Kitchen"], until: at(19, 24) }, "Until 7:24 PM"],
  [{ state: "paused", until: at(19, 24) }, null],
  [{ state: "talking", talking: ["Kitchen"], why: "quiet_hours", until: at(19, 0) }, null],
  [{ state: "quiet_hours", until: at(19, 0) }, null],
])("%j has the second part '%s'", (more, end) => {
  expect(pauseEnd(status(more), viewersZone(), now)).toBe(end);
});

test("times in another zone than the viewer's name it", () => {
  const zone = viewersZone() === "Asia/Tokyo" ? "Europe/Berlin" : "Asia/Tokyo";
  const paused = status({ state: "paused", until: at(19, 24) });

  expect(statusSentence(paused, zone, now)).toMatch(new RegExp(`^Paused until .* \\(${zone}\\)$`, "u"));
});

test("a right-to-left name doesn't reorder the sentence", () => {
  const sentence = statusSentence(status({ state: "talking", talking: ["مطبخ"] }), viewersZone(), now);

  expect(sentence).toBe("Talking with \u2068مطبخ\u2069 now");
});

test.each<[string, TalkStatus["pause"], { until?: string } | null, string | null]>([
  ["no pause", undefined, null, null],
  ["a new pause", undefined, {}, "Pausing..."],
  ["a later end", { until: "2026-11-23T19:00:00Z" }, {}, "Pausing..."],
  [
    "the same end, written in another way",
    { until: "2026-11-23T19:00:00Z" },
    { until: "2026-11-23T19:00:00.000Z" },
    null,
  ],
  ["the same pause without an end", {}, {}, null],
  ["a pause that was ended", {}, null, "Resuming..."],
])("%s on screen", (_what, known, shown, sentence) => {
  expect(pendingSentence(status(known === undefined ? {} : { pause: known }), shown)).toBe(sentence);
});
