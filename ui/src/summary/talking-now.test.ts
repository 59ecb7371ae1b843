import { expect, test } from "vitest";

import { talksUntil } from "./TalkingNow";
import type { components } from "../api/generated/schema";

type Session = components["schemas"]["Session"];

const session: Session = { session_id: 1, child_id: 1, message_count: 3, ended: false };

test.each<[string, Partial<Session>, string | null]>([
  [
    "two minutes after its newest word",
    { last_message_time: "2026-11-21T19:58:30Z" },
    "2026-11-21T20:00:30.000Z",
  ],
  [
    "over midnight and a year's end",
    { last_message_time: "2026-12-31T23:59:00Z" },
    "2027-01-01T00:01:00.000Z",
  ],
  [
    "with fractions of a second",
    { last_message_time: "2026-11-21T20:00:00.250Z" },
    "2026-11-21T20:02:00.250Z",
  ],
  ["never without a word", {}, null],
  ["never once it has ended", { ended: true, last_message_time: "2026-11-21T19:59:59Z" }, null],
])("a session counts as going on %s", (_when, its, until) => {
  expect(talksUntil({ ...session, ...its })).toBe(until);
});
