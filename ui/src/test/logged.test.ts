import { expect, test } from "vitest";

import { expectLogged, refuseUnexpected } from "./logged";

test("an unexpected error on the console fails a test", () => {
  // oxlint-disable-next-line no-console -- what a test must not miss
  console.error("In HTML, %s cannot be a descendant of <%s>.", "<form>", "form");

  expect(refuseUnexpected).toThrow("In HTML, <form> cannot be a descendant of <form>.");
  expectLogged(/^In HTML, <form> cannot be a descendant of <form>\.$/u);
  expect(refuseUnexpected).not.toThrow();
});
