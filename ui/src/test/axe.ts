/** Runs axe in jsdom: all rules but those that need a style sheet, which hides one of the two navigations, or `index.html`. */
import { runInThisContext } from "node:vm";

import type { AxeResults, RunOptions } from "axe-core";
import { expect } from "vitest";

import { ACCESSIBLE, axeCode, violationTexts } from "./axe-core";
import { trustContract } from "../api/trust-contract";

interface Axe {
  run: (context: Document, options: RunOptions) => Promise<AxeResults>;
}

/** Not as a module: axe keeps the window in which it was loaded, and each file has another. */
function axe(): Axe {
  if (!("axe" in window)) runInThisContext(axeCode);
  return trustContract<Axe>(Reflect.get(window, "axe"));
}

const OPTIONS: RunOptions = {
  runOnly: ACCESSIBLE,
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
  expect(violationTexts(violations), "what axe found").toEqual([]);
}
