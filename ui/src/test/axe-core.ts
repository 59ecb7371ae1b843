/** What the tests in jsdom and those in a browser share of axe. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { Result } from "axe-core";

const { resolve } = createRequire(import.meta.url);

/** axe's minified source. */
export const axeCode = readFileSync(
  createRequire(resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** The tags of the rules that are checked: WCAG 2.2 AA and axe's best practices. */
export const ACCESSIBLE = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Each violation as the rule's name and the elements that break it. */
export function violationTexts(violations: readonly Result[]): string[] {
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}
