import { expect, test } from "vitest";

import { unreadableRows } from "./unreadable-rows";

test("the counts of several responses are added up; a missing or invalid count is 0", () => {
  const answers = ["2", null, "0", "1", "", "many", "-3", "1.5"].map((count) => ({
    headers: new Headers(count === null ? {} : { "unreadable-rows": count }),
  }));

  expect(unreadableRows(answers)).toBe(3);
  expect(unreadableRows([])).toBe(0);
});
