/** Holds who may import whom (see "UI" in the README). An import may only point down the stairs. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

import { expect, test } from "vitest";

const src = resolve(import.meta.dirname, "..");

/** Each step may import the steps below it; folders of one step never import each other. */
const stairs: readonly (readonly string[])[] = [
  ["ui", "format"],
  ["paths"],
  ["api"],
  ["identity"],
  ["children"],
  ["summary", "activities", "transcripts", "blocked-topics", "placeholders"],
  ["layout"],
  ["routes"],
  ["main"],
];

/** Tests may also use what opens the whole app for them. */
const testing = "test";

interface Import {
  /** The importing file and its line, as an editor opens it. */
  at: string;
  from: string;
  to: string;
}

function room(path: string): string {
  return (
    relative(src, path)
      .split("/")[0]
      ?.replace(/\.tsx?$/u, "") ?? ""
  );
}

function step(name: string): number {
  return stairs.findIndex((names) => names.includes(name));
}

function importsOf(file: string): Import[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, index) => {
      const target = /(?:from|import\(|^import) ?"(\.{1,2}\/[^"]+)"/u.exec(line)?.[1];
      if (target === undefined) return [];
      const at = `ui/src/${relative(src, file)}:${index + 1}`;
      return [{ at, from: room(file), to: room(join(dirname(file), target)) }];
    });
}

/** What is wrong with an import; null if nothing is. */
function offence({ at, from, to }: Import): string | null {
  if (from === to) return null;
  if (step(to) < 0) return `${at}: "${to}" has no place on the stairs`;
  if (step(from) > step(to)) return null;
  return `${at}: "${from}" may not import "${to}", which stands ${step(from) === step(to) ? "beside" : "above"} it`;
}

const files = globSync("**/*.{ts,tsx}", { cwd: src })
  .map((file) => join(src, file))
  .filter((file) => room(file) !== testing && !/\.test\.tsx?$/u.test(file));

test("every folder has its place on the stairs", () => {
  expect([...new Set(files.map(room))].filter((name) => step(name) < 0)).toEqual([]);
});

test("imports only point down the stairs", () => {
  const imports = files.flatMap(importsOf).filter(({ from, to }) => !(from === "main" && to === testing));

  expect(imports.length).toBeGreaterThan(100);
  expect(imports.map(offence).filter((what) => what !== null)).toEqual([]);
});

test("the law notices what it forbids", () => {
  const at = "ui/src/somewhere.ts:1";

  expect(offence({ at, from: "ui", to: "api" })).toContain("ui/src/somewhere.ts:1");
  expect(offence({ at, from: "summary", to: "activities" })).toContain("beside");
  expect(offence({ at, from: "children", to: "layout" })).toContain("above");
  expect(offence({ at, from: "layout", to: "transcripts" })).toBeNull();
});

test("only the calls' own folder knows how a request is made", () => {
  const strangers = files.filter(
    (file) => room(file) !== "api" && /\bfetch\(|XMLHttpRequest/u.test(readFileSync(file, "utf8")),
  );

  expect(strangers.map((file) => relative(src, file))).toEqual([]);
});

test("no file only passes on what others export", () => {
  const barrels = files.filter(
    (file) =>
      !file.includes("/generated/") && /^export (?:\*|\{[^}]*\}) from/mu.test(readFileSync(file, "utf8")),
  );

  expect(barrels.map((file) => relative(src, file))).toEqual([]);
});
