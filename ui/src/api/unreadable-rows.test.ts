import { expect, test } from "vitest";

import { unreadableRows } from "./unreadable-rows";

test("the counts of several answers are added up; an answer without one, or with none that can be, lacks nothing", () => {
  const answers = ["2", null, "0", "1", "", "many", "-3", "1.5"].map((count) => ({
    headers: new Headers(count === null ? {} : { "unreadable-rows": count }),
  }));

  expect(unreadableRows(answers)).toBe(3);
  expect(unreadableRows([])).toBe(0);
});
