/** Runs axe in jsdom: all rules but those that need a style sheet, which hides one of the two navigations, or `index.html`. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { runInThisContext } from "node:vm";

import type { AxeResults, RunOptions } from "axe-core";
import { expect } from "vitest";

import { trustContract } from "../api/send";

interface Axe {
  run: (context: Document, options: RunOptions) => Promise<AxeResults>;
}

const resolve = createRequire(import.meta.url).resolve;
const code = readFileSync(
  createRequire(resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** Not as a module: axe keeps the window in which it was loaded, and each file has another. */
function axe(): Axe {
  if (!("axe" in window)) runInThisContext(code);
  return trustContract<Axe>(Reflect.get(window, "axe"));
}

const OPTIONS: RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  rules: {
    "color-contrast": { enabled: false },
    "target-size": { enabled: false },
    "landmark-unique": { enabled: false },
    "html-has-lang": { enabled: false },
  },
  resultTypes: ["violations"],
};

export async function expectAccessible(): Promise<void> {
  // jsdom has no canvas, and would print that each time.
  Object.assign(HTMLCanvasElement.prototype, { getContext: () => null });
  const { violations } = await axe().run(document, OPTIONS);
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  expect(found, "what axe found").toEqual([]);
}
