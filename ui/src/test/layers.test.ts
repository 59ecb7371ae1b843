/** Checks which folder imports which: a layer may import only the layers below it (see docs/architecture.md). */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

import { expect, test } from "vitest";

const src = resolve(import.meta.dirname, "..");

/** The layers, lowest first. Folders of one layer never import each other. */
const layers: readonly (readonly string[])[] = [
  ["ui", "format"],
  ["paths"],
  ["api"],
  ["identity"],
  ["children"],
  ["rules"],
  ["schedule", "retention", "household", "alerts", "access-log", "conversation-starters", "reviewer"],
  // The features: every folder that isn't named here.
  [],
  ["layout"],
  ["routes"],
  ["main"],
];

/** Only tests import this folder. */
const testing = "test";

interface Import {
  /** The importing file and its line, as an editor opens it. */
  at: string;
  from: string;
  to: string;
}

function folderOf(path: string): string {
  return (
    relative(src, path)
      .split("/")[0]
      ?.replace(/\.tsx?$/u, "") ?? ""
  );
}

function layerOf(name: string): number {
  const named = layers.findIndex((names) => names.includes(name));
  return named < 0 ? layers.findIndex((names) => names.length === 0) : named;
}

function importsOf(file: string): Import[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, index) => {
      const target = /(?:from|import\(|^import) ?"(\.{1,2}\/[^"]+)"/u.exec(line)?.[1];
      if (target === undefined) return [];
      const at = `ui/src/${relative(src, file)}:${index + 1}`;
      return [{ at, from: folderOf(file), to: folderOf(join(dirname(file), target)) }];
    });
}

/** Why an import is forbidden; null if it is allowed. */
function violation({ at, from, to }: Import): string | null {
  if (from === to) return null;
  if (layerOf(from) > layerOf(to)) return null;
  return `${at}: "${from}" may not import "${to}", which is ${layerOf(from) === layerOf(to) ? "beside" : "above"} it`;
}

const files = globSync("**/*.{ts,tsx}", { cwd: src })
  .map((file) => join(src, file))
  .filter((file) => folderOf(file) !== testing && !/\.test\.tsx?$/u.test(file));

test("imports only point to lower layers", () => {
  const imports = files.flatMap(importsOf).filter(({ from, to }) => !(from === "main" && to === testing));

  expect(imports.length).toBeGreaterThan(100);
  expect(imports.map(violation).filter((what) => what !== null)).toEqual([]);
});

test("only api/ makes requests", () => {
  const offenders = files.filter(
    (file) => folderOf(file) !== "api" && /\bfetch\(|XMLHttpRequest/u.test(readFileSync(file, "utf8")),
  );

  expect(offenders.map((file) => relative(src, file))).toEqual([]);
});

test("no file only re-exports", () => {
  const barrels = files.filter(
    (file) =>
      !file.includes("/generated/") && /^export (?:\*|\{[^}]*\}) from/mu.test(readFileSync(file, "utf8")),
  );

  expect(barrels.map((file) => relative(src, file))).toEqual([]);
});
