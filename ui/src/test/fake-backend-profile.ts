/** What guardians say of a child in the fake backend: the month of birth, and the language. */
import type { HttpHandler } from "msw";

import { type ForGuardian, misbehaviour } from "./fake-call";
import { problem } from "./fake-problem";
import type { Family } from "./families";
import type { components } from "../api/generated/schema";
import { ageOn } from "../format/birth-month";

type Schemas = components["schemas"];

export type FakeProfile = Pick<Schemas["SetupChild"], "born" | "language">;

/** The server refuses this month. */
const REFUSED_MONTH = "2011-11";

export function profileHandlers(forGuardian: ForGuardian): HttpHandler[] {
  return [
    forGuardian("get", "/child/{childId}/born", async ({ params }, family) => {
      const childId = Number(params["childId"]);
      return (await misbehaviour(childId, family)) ?? answerBorn(family, childId);
    }),

    forGuardian("put", "/child/{childId}/born", ({ params, body: { born } }, family) => {
      const childId = Number(params["childId"]);
      if (born === REFUSED_MONTH)
        return problem(422, "birth_month_in_future", "The month of birth can't be in the future.");
      const { born: _, ...others } = profileOf(family, childId);
      family.profiles.set(childId, born === null ? others : { ...others, born });
      return answerBorn(family, childId);
    }),

    forGuardian("get", "/child/{childId}/language", async ({ params }, family) => {
      const childId = Number(params["childId"]);
      return (await misbehaviour(childId, family)) ?? answerLanguage(family, childId);
    }),

    forGuardian("put", "/child/{childId}/language", ({ params, body }, family) => {
      const childId = Number(params["childId"]);
      const { language: _, ...others } = profileOf(family, childId);
      family.profiles.set(childId, { ...others, ...body });
      return answerLanguage(family, childId);
    }),
  ];
}

/** What the child's page says of its age. */
export function ageOfPage(family: Family, childId: number): Pick<Schemas["ChildNotice"], "age" | "told_age"> {
  const { age } = answerBorn(family, childId);
  return age === undefined ? { told_age: [] } : { told_age: ["Kitchen"], age };
}

function profileOf({ profiles }: Family, childId: number): FakeProfile {
  return profiles.get(childId) ?? {};
}

function answerBorn(family: Family, childId: number): Schemas["Born"] {
  const { born } = profileOf(family, childId);
  return born === undefined ? {} : { born, age: ageOn(born, new Date()) };
}

function answerLanguage(family: Family, childId: number): Schemas["ChildLanguage"] {
  const { language } = profileOf(family, childId);
  return language === undefined ? {} : { language };
}
