import { expect, test } from "vitest";

import { foldedRows, withDays } from "./folds";
import { listed } from "./queries";

function session(id: number, date: string, isShort: boolean) {
  return {
    session_id: id,
    child_id: 1,
    topic: `Topic ${id}`,
    date,
    message_count: isShort ? 2 : 20,
    duration: isShort ? 20 : 600,
    ended: true,
  };
}

test("each day is named once, above its first conversation", () => {
  const today = new Date(2026, 10, 23, 9);
  const yesterday = new Date(2026, 10, 22, 23, 59);
  const sessions = listed([
    session(6, today.toISOString(), false),
    session(5, today.toISOString(), false),
    session(4, yesterday.toISOString(), true),
    session(3, yesterday.toISOString(), true),
    session(2, yesterday.toISOString(), true),
    session(1, yesterday.toISOString(), false),
  ]);

  const rows = withDays(foldedRows(sessions, new Set(), undefined));

  expect(rows.map(({ kind, startsDay }) => [kind, startsDay])).toEqual([
    ["session", today.toLocaleDateString()],
    ["session", undefined],
    ["fold", yesterday.toLocaleDateString()],
    ["session", undefined],
  ]);
});
