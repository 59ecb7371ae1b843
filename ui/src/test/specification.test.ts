import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const rows = readFileSync(join(root, "tests/specification.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| What it says"))
  .map((line) => line.slice(2, -2).split(" | "));
const named = rows.flatMap(([, holds = ""]) =>
  holds.split("<br>").map((part): [file: string, name: string] => {
    const [, file = "", name = ""] = /^`([^`]+)` (.+)$/u.exec(part) ?? [];
    return [file, name];
  }),
);

/** Whether a file of Rust or TypeScript defines a test of this name. */
function defines(source: string, file: string, name: string): boolean {
  return file.endsWith(".rs")
    ? source.includes(`fn ${name}(`)
    : source.replaceAll(/\(\s+/gu, "(").includes(`("${name}"`);
}

test("every row of the table of the specification names a file and a test", () => {
  expect(rows.length).toBeGreaterThan(100);
  for (const [file, name] of named) expect({ file, name }).not.toMatchObject({ file: "", name: "" });
});

test("every test that the table names is there: else correct tests/specification.md", () => {
  const gone = named.filter(([file, name]) => {
    const path = join(root, file);
    return !existsSync(path) || !defines(readFileSync(path, "utf8"), file, name);
  });

  expect(gone).toEqual([]);
});
