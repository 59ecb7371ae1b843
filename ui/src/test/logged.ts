import { format } from "node:util";

import { vi } from "vitest";

/** jsdom doesn't know the element. */
const NO_SEARCH_ELEMENT = /^The tag <search> is unrecognized in this browser\./u;

let expected: (RegExp | string)[] = [];
let logged: string[] = [];

/** The current test may write lines with these texts to the console as errors. Any other line fails it. */
export function expectLogged(...texts: readonly (RegExp | string)[]): void {
  expected.push(...texts);
}

/** Collects the errors that a test writes to the console, which is silent and a spy. */
export function collectLogged(): void {
  expected = [NO_SEARCH_ELEMENT];
  logged = [];
  vi.spyOn(console, "error").mockImplementation((...parts) => void logged.push(format(...parts)));
}

/** Fails if there was an error on the console that the test did not expect. */
export function refuseUnexpected(): void {
  const unexpected = logged.filter(
    (line) => !expected.some((text) => (typeof text === "string" ? line.includes(text) : text.test(line))),
  );
  if (unexpected.length > 0) {
    throw new Error(`errors on the console that expectLogged does not name:\n${unexpected.join("\n")}`);
  }
}
