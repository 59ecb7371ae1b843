import { expect, test } from "vitest";

import { bands, ticksTo } from "./scales";

test.each([
  [1, [0, 0.5, 1]],
  [3, [0, 1, 2, 3]],
  [9, [0, 5, 10]],
  [10, [0, 5, 10]],
  [47, [0, 20, 40, 60]],
  [60, [0, 20, 40, 60]],
  [100, [0, 50, 100]],
  [1234, [0, 500, 1000, 1500]],
])("an axis up to %s has round ticks, of which the last is its end", (highest, ticks) => {
  expect(ticksTo(highest, 3)).toEqual(ticks);
});

test("columns fill their space, with the same space between and around them", () => {
  const { step, width, left } = bands(4, 34, 334, 0.25);

  expect(step).toBeCloseTo(300 / 4.25);
  expect(width).toBeCloseTo(step * 0.75);
  expect(left(0) - 34).toBeCloseTo(step * 0.25);
  expect(left(1) - left(0)).toBeCloseTo(step);
  expect(334 - (left(3) + width)).toBeCloseTo(step * 0.25);
});
