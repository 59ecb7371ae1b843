/**
 * Holds that the tests of ours that `tests/specification.md` and `docs/SECURITY.md` name as proofs are there, run and
 * assert something. `tests/proofs.rs` does the same for the server's.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import ts from "typescript";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");

interface Found {
  title: string;
  /** Skipped, or to be done. */
  off: boolean;
  asserts: boolean;
}

/** What `test.describe.skip("…")` calls: `["test", "describe", "skip"]`. The table of `test.each(…)(…)` is passed over. */
function calleeOf(call: ts.CallExpression): string[] {
  let { expression }: { expression: ts.Expression } = call;
  const names: string[] = [];
  for (;;) {
    if (ts.isPropertyAccessExpression(expression)) {
      names.unshift(expression.name.text);
      ({ expression } = expression);
    } else if (ts.isCallExpression(expression) && names.length === 0) {
      ({ expression } = expression);
    } else {
      return ts.isIdentifier(expression) ? [expression.text, ...names] : names;
    }
  }
}

/** Every node below this one, itself too. */
function nodesIn(node: ts.Node): ts.Node[] {
  const nodes = [node];
  ts.forEachChild(node, (child) => void nodes.push(...nodesIn(child)));
  return nodes;
}

/** Whether a call is an assertion: something is said about what `expect(…)` or `expect.poll(…)` is given. */
function isAssertion(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  let inner: ts.Expression = node.expression.expression;
  while (ts.isPropertyAccessExpression(inner)) inner = inner.expression;
  return ts.isCallExpression(inner) && calleeOf(inner)[0] === "expect";
}

/** What is switched off by such a name behind `test` or `describe`. */
function isOff(names: readonly string[]): boolean {
  return names.some((name) => ["skip", "fixme", "todo", "fails", "skipIf"].includes(name));
}

/** Whether a node ends its test without a condition: `test.skip()`, `test.fixme(true, …)`, or a bare `return`. */
function endsItsTest(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false;
  const [first, ...names] = calleeOf(node);
  const always = node.arguments[0] === undefined || node.arguments[0].kind === ts.SyntaxKind.TrueKeyword;
  return first === "test" && isOff(names) && always;
}

/** Every test in a source. */
function testsIn(source: string): Found[] {
  const file = ts.createSourceFile("test.tsx", source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const functions = new Map<string, ts.Node>();
  for (const node of nodesIn(file)) {
    if (ts.isFunctionDeclaration(node) && node.name !== undefined) functions.set(node.name.text, node);
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined)
      if (ts.isFunctionLike(node.initializer)) functions.set(node.name.text, node.initializer);
  }

  const asserts = (node: ts.Node, seen: readonly string[] = []): boolean =>
    nodesIn(node).some((inner) => {
      if (isAssertion(inner)) return true;
      if (!ts.isCallExpression(inner) || !ts.isIdentifier(inner.expression)) return false;
      const name = inner.expression.text;
      const called = seen.includes(name) ? undefined : functions.get(name);
      return called !== undefined && asserts(called, [...seen, name]);
    });

  const found: Found[] = [];
  const walk = (node: ts.Node, off: boolean): void => {
    if (!ts.isCallExpression(node)) return ts.forEachChild(node, (child) => walk(child, off));
    const [first = "", ...names] = calleeOf(node);
    const [title, ...rest] = node.arguments;
    const isGroup = first === "describe" || names.includes("describe");
    if (!["test", "it", "describe"].includes(first) || title === undefined || !ts.isStringLiteralLike(title))
      return ts.forEachChild(node, (child) => walk(child, off));
    const offNow = off || isOff(names);
    if (isGroup) return rest.forEach((part) => walk(part, offNow));
    const body = rest.findLast((part) => ts.isFunctionLike(part));
    found.push({
      title: title.text,
      off: offNow || body === undefined || nodesIn(body).some(endsItsTest),
      asserts: body !== undefined && asserts(body),
    });
  };
  walk(file, false);
  return found;
}

/** Why a test of this name proves nothing; null if it proves something. */
function fault(all: readonly Found[], title: string): string | null {
  const tests = all.filter((found) => found.title === title);
  if (tests.length === 0) return "there is no test of this name";
  if (tests.some(({ off }) => off)) return "it is skipped";
  return tests.every(({ asserts }) => asserts) ? null : "it asserts nothing";
}

/** The proofs in TypeScript that a page of ours names: each with its file and the test's title. */
function proofsIn(page: string): [file: string, title: string][] {
  return readFileSync(join(root, page), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .flatMap((line) => line.slice(2, -2).split(" | ").at(-1)?.split("<br>") ?? [])
    .map((proof): [string, string] => {
      const [, file = "", title = ""] = /^`([^`]+)` (.+)$/u.exec(proof) ?? [];
      return [file, title];
    })
    .filter(([file]) => /\.tsx?$/u.test(file));
}

test.each([
  ["tests/specification.md", 100],
  ["docs/SECURITY.md", 5],
])(
  "every test of ours that %s names proves something: else correct the row, or bring it back",
  (page, atLeast) => {
    const proofs = proofsIn(page);

    expect(proofs.length).toBeGreaterThanOrEqual(atLeast);
    const files = new Map(
      [...new Set(proofs.map(([file]) => file))].map((file) => {
        const isTest = /^ui\/(?:src\/.*\.test\.tsx?|e2e\/[\w-]+\.spec\.ts)$/u.test(file);
        const path = join(root, file);
        return [file, isTest && existsSync(path) ? testsIn(readFileSync(path, "utf8")) : []];
      }),
    );
    const faults = proofs.flatMap(([file, title]) => {
      const what = fault(files.get(file) ?? [], title);
      return what === null ? [] : [`${file}: ${title}: ${what}`];
    });
    expect(faults).toEqual([]);
  },
);

test.each([
  ['test("it", () => { expect(1).toBe(x); });', null],
  ['test("it", anyWidth, async ({ page }) => { await expect(page).toHaveURL("/"); });', null],
  ['test.each([[1]])("it", (a) => { expect(a).not.toBe(2); });', null],
  ['test("it", async () => { await expect.poll(() => x).toBe(1); });', null],
  ['describe("d", () => { it("it", () => check()); }); function check() { expect(x).toBe(1); }', null],
  ['test("it", () => { check(); }); const check = () => waitFor(() => expect(x).toBe(1));', null],
  ['test("it", ({ isMobile }) => { test.skip(isMobile, "no Tab"); expect(x).toBe(1); });', null],
  ['test("other", () => { expect(x).toBe(1); }); // test("it")', "there is no test of this name"],
  ['const it = "it"; expect(x).toBe("it");', "there is no test of this name"],
  ['test("it", () => {});', "it asserts nothing"],
  ['test("it", () => { /* expect(x).toBe(1); */ "expect(x).toBe(1)"; });', "it asserts nothing"],
  ['test("it", () => { expect(x); });', "it asserts nothing"],
  ['test("it", () => { consoleGuard.expect(/x/u); });', "it asserts nothing"],
  ['test("it", () => { a(); }); function a() { b(); } function b() { a(); }', "it asserts nothing"],
  ['test.skip("it", () => { expect(x).toBe(1); });', "it is skipped"],
  ['test.fixme("it", () => { expect(x).toBe(1); });', "it is skipped"],
  ['test.todo("it");', "it is skipped"],
  ['test("it", () => { test.skip(); expect(x).toBe(1); });', "it is skipped"],
  ['test.describe.skip("d", () => { test("it", () => { expect(x).toBe(1); }); });', "it is skipped"],
  ['describe.skip("d", () => { it("it", () => { expect(x).toBe(1); }); });', "it is skipped"],
])("%s: %s", (source, expected) => {
  expect(fault(testsIn(source), "it")).toBe(expected);
});
