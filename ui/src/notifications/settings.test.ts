import { expect, test } from "vitest";

import { type Settings, type SettingsChange, usesClock, withChange } from "./settings";
import { refusalOfHours } from "../schedule/schedule";

const off: Settings = {
  time_zone: "UTC",
  at_once: { email: false, kinds: ["phrase", "outside_times", "reviewer"], urgent_passes: false },
  weekly: { enabled: false, weekday: "sun", hour: 18 },
  quotes: false,
  webhook_refused: false,
};

const ofNobody: Settings = { ...off, at_once: { ...off.at_once, children: [] } };
const withHours: Settings = {
  ...off,
  at_once: { ...off.at_once, quiet_hours: { from: "22:00", to: "07:00" } },
};
const weekly: Settings = { ...off, weekly: { ...off.weekly, enabled: true } };
const home = "Europe/Berlin";

test.each<[string, Settings, SettingsChange, Partial<Settings>]>([
  ["an email", off, { kind: "email at once", on: true }, { at_once: { ...off.at_once, email: true } }],
  [
    "a kind less",
    off,
    { kind: "alerts of a kind", alerts: "phrase", on: false },
    { at_once: { ...off.at_once, kinds: ["outside_times", "reviewer"] } },
  ],
  [
    "a kind that is on already",
    off,
    { kind: "alerts of a kind", alerts: "phrase", on: true },
    { at_once: { ...off.at_once, kinds: ["outside_times", "reviewer", "phrase"] } },
  ],
  [
    "urgent ones in quiet hours",
    off,
    { kind: "urgent alerts", on: true },
    { at_once: { ...off.at_once, urgent_passes: true } },
  ],
  [
    "only some children, at first all",
    off,
    { kind: "all children", on: false, children: [1, 2] },
    { at_once: { ...off.at_once, children: [1, 2] } },
  ],
  ["all children", ofNobody, { kind: "all children", on: true, children: [1, 2] }, off],
  [
    "a child more",
    ofNobody,
    { kind: "one child", childId: 2, on: true, children: [1, 2] },
    { at_once: { ...off.at_once, children: [2] } },
  ],
  [
    "a child less, after another device chose all",
    off,
    { kind: "one child", childId: 2, on: false, children: [1, 2] },
    { at_once: { ...off.at_once, children: [1] } },
  ],
  [
    "the first quiet hours, on the device's clock",
    off,
    { kind: "quiet hours", hours: { from: "22:00", to: "07:00" }, timeZone: home },
    { ...withHours, time_zone: home },
  ],
  [
    "quiet hours beside the weekly email, whose clock stays",
    weekly,
    { kind: "quiet hours", hours: { from: "22:00", to: "07:00" }, timeZone: home },
    { at_once: withHours.at_once },
  ],
  ["no quiet hours", withHours, { kind: "quiet hours", hours: null, timeZone: home }, off],
  [
    "the weekly email, on the device's clock",
    off,
    { kind: "weekly email", on: true, timeZone: home },
    { ...weekly, time_zone: home },
  ],
  ["no weekly email", weekly, { kind: "weekly email", on: false, timeZone: home }, off],
  [
    "its day and hour",
    weekly,
    { kind: "weekly time", weekday: "fri", hour: 7 },
    { weekly: { enabled: true, weekday: "fri", hour: 7 } },
  ],
  ["a time zone", weekly, { kind: "time zone", timeZone: home }, { time_zone: home }],
  ["quotes", off, { kind: "quotes", on: true }, { quotes: true }],
  ["a refusal", off, { kind: "webhook", refused: true }, { webhook_refused: true }],
])("%s", (_name, before, change, changed) => {
  expect(withChange(before, change)).toEqual({ ...before, ...changed });
});

test.each([
  [off, false],
  [withHours, true],
  [weekly, true],
])("quiet hours and the weekly email use the clock (case %#)", (settings, uses) => {
  expect(usesClock(settings)).toBe(uses);
});

test.each([
  [{ from: "22:00", to: "07:00" }, null],
  [{ from: "22:00", to: "22:00" }, "Quiet hours can't begin and end at the same time."],
  [{ from: "", to: "07:00" }, "Please say when the quiet hours begin and when they end."],
  [{ from: "22:00", to: "" }, "Please say when the quiet hours begin and when they end."],
])("quiet hours %o: %s", (hours, refusal) => {
  expect(refusalOfHours(hours)).toBe(refusal);
});
