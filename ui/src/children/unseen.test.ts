import { expect, test } from "vitest";

import { markOf, readSeen, storeSeen, withSeen } from "./unseen";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 20, minute)).toISOString();

function talk(childId: number, minute?: number, talking = false) {
  return { child_id: childId, talking, ...(minute !== undefined && { last_message_time: at(minute) }) };
}

test.each([
  ["nothing known", undefined, [1, 5], null],
  ["nothing said", talk(1), [1, 0], null],
  ["seen", talk(1, 5), [1, 5], null],
  ["not seen", talk(1, 6), [1, 5], "new"],
  ["a live conversation", talk(1, 5, true), [1, 5], "talking now"],
  ["never on screen in this browser", talk(2, 6), [1, 5], null],
] as const)("the mark of a child with %s", (_what, one, [child, minute], mark) => {
  expect(markOf(one, new Map([[child, Date.parse(at(minute))]]))).toBe(mark);
});

test("what rings comes before what is said", () => {
  expect(markOf(talk(1, 6, true), new Map(), "2 alerts")).toBe("2 alerts");
  expect(markOf(undefined, new Map(), "2 alerts")).toBe("2 alerts");
});

test("the child on screen is seen, and a child that appears for the first time is not new", () => {
  const before = new Map([
    [1, Date.parse(at(5))],
    [2, Date.parse(at(5))],
    [4, Date.parse(at(5))],
  ]);

  const seen = withSeen(before, [talk(1, 9), talk(2, 9), talk(3, 9)], 2);

  expect([...seen]).toEqual([
    [1, Date.parse(at(5))],
    [2, Date.parse(at(9))],
    [3, Date.parse(at(9))],
  ]);
});

test("what was seen is stored for each guardian", () => {
  storeSeen("gua_1", new Map([[7, 1000]]));

  expect([...readSeen("gua_1")]).toEqual([[7, 1000]]);
  expect([...readSeen("gua_2")]).toEqual([]);
});
