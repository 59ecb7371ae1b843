import { expect, test } from "vitest";

import { helpSteps, numberIn } from "./help";
import { type Concern, concernNames } from "../children/concerns";

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type requires a name for each
const concerns = Object.keys(concernNames) as Concern[];

test.each(concerns)("there are a few whole sentences about %s", (concern) => {
  const steps = helpSteps(concern, "Mia");

  expect(steps.length).toBeGreaterThanOrEqual(3);
  expect(steps.filter((step) => !/^\p{Lu}.*[.?]$/u.test(step))).toEqual([]);
  expect(new Set(steps).size).toBe(steps.length);
});

test("about home it says first that others may have read the alert", () => {
  expect(helpSteps("hurt_at_home", "Mia")[0]).toMatch(/^Every guardian can see this alert\./u);
});

test.each([
  ["Childline 0800 1111", "08001111"],
  ["Nummer gegen Kummer 116 111", "116111"],
  ["Teléfono ANAR +34 900 20 20 10", "+34900202010"],
  ["Kids Help (800) 555-0100", "8005550100"],
  ["Line 24 for children", null],
])("the number of %s is %s", (helpline, number) => {
  expect(numberIn(helpline)).toBe(number);
});
