/** The month of birth in the fake backend. */
import type { Family } from "./families";
import type { components } from "../api/generated/schema";
import { ageOn } from "../format/birth-month";

type Schemas = components["schemas"];

/** The server refuses this month. */
export const REFUSED_MONTH = "2011-11";

export function answerBorn({ birthMonths }: Family, childId: number): Schemas["Born"] {
  const born = birthMonths.get(childId);
  return born === undefined ? {} : { born, age: ageOn(born, new Date()) };
}

/** What the child's page says of its age. */
export function ageOfPage(
  { birthMonths }: Family,
  childId: number,
): Pick<Schemas["ChildNotice"], "age" | "told_age"> {
  const born = birthMonths.get(childId);
  return born === undefined ? { told_age: [] } : { told_age: ["Kitchen"], age: ageOn(born, new Date()) };
}
