import { format } from "node:util";

import { vi } from "vitest";

/** jsdom doesn't support this element. */
const NO_SEARCH_ELEMENT = /^The tag <search> is unrecognized in this browser\./u;

let expected: (RegExp | string)[] = [];
let logged: string[] = [];

/** Allows the current test to log errors with these texts. Any other error fails it. */
export function expectLogged(...texts: readonly (RegExp | string)[]): void {
  expected.push(...texts);
}

/** Replaces `console.error` with a silent spy. */
export function collectLogged(): void {
  expected = [NO_SEARCH_ELEMENT];
  logged = [];
  vi.spyOn(console, "error").mockImplementation((...parts) => void logged.push(format(...parts)));
}

/** Fails if the test logged an unexpected error. */
export function refuseUnexpected(): void {
  const unexpected = logged.filter(
    (line) => !expected.some((text) => (typeof text === "string" ? line.includes(text) : text.test(line))),
  );
  if (unexpected.length > 0) {
    throw new Error(`errors on the console that expectLogged does not name:\n${unexpected.join("\n")}`);
  }
}
