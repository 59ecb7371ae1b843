import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "..");

/** Tailwind's classes of a side that isn't the line's start or end. */
const PHYSICAL =
  /(?<![\w-])-?(?:(?:m|p|scroll-m|scroll-p)[lr]-(?:\d|auto|\[)|(?:left|right)-(?:\d|auto|\[)|text-(?:left|right)\b|border-[lr](?![\w-]*[a-z])|rounded-(?:[lr]|[tb][lr])\b)/u;

/** Beside it, a class of a side is of an element with another direction than the page. */
const MIRRORED = "page-rtl:";

/** It is placed by its measured distance from the left. */
const TOOLTIP = "ui/Tooltip.tsx";

function physicalClasses(path: string): string[] {
  const lines = readFileSync(join(SRC, path), "utf8").split("\n");
  return lines
    .filter((line) => PHYSICAL.test(line) && !line.includes(MIRRORED))
    .map((line) => `${path}: ${line.trim()}`);
}

test("a class names the start or the end of a line, so that it is right from right to left, too", () => {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".tsx") && !path.endsWith(".test.tsx") && path !== TOOLTIP,
  );

  expect(files.flatMap(physicalClasses)).toEqual([]);
});

test("a class of a side is found, wherever it stands", () => {
  const found = ["mr-2", "lg:pl-3", "-right-1", "text-left", "border-r", "rounded-bl-[1px]"].filter((name) =>
    PHYSICAL.test(`<p className="flex ${name} block">`),
  );

  expect(found).toHaveLength(6);
  expect(PHYSICAL.test("border-line rounded-bubble left text-center")).toBe(false);
});
