import { expect, test } from "vitest";

import { speakerClass, speakerName, speakerOf } from "./speaker";

test("the label of the child, and of the assistant whose name is known, is replaced by the name", () => {
  const labels = ["child", "assistant", "Child", "Grandma", " ", "", undefined].map((label) =>
    speakerOf(label),
  );

  expect(labels.map((label) => speakerName(label, "Mia"))).toEqual([
    "Mia",
    "assistant",
    "Child",
    "Grandma",
    "unknown",
    "unknown",
    "unknown",
  ]);
  expect(labels.map((label) => speakerName(label, "Mia", "Kitchen")).slice(0, 4)).toEqual([
    "Mia",
    "Kitchen",
    "Child",
    "Grandma",
  ]);
  expect(speakerName("assistant", "Mia", " ")).toBe("assistant");
});

test("labels are capitalised, names aren't", () => {
  expect(["child", "assistant", "unknown"].map((label) => speakerClass(label))).toEqual([
    "",
    "first-letter:uppercase",
    "first-letter:uppercase",
  ]);
});
