import { i18n } from "@lingui/core";
import { fleschKincaid } from "flesch-kincaid";
import { syllable } from "syllable";
import { expect, test } from "vitest";

import { type PageEdition, type PageNames, pageText as textIn } from "./page-text";

const mia: PageNames = {
  child: "Mia",
  grownUps: ["Kim", "Robin"],
  assistants: ["Kitchen"],
  helpline: undefined,
  days: null,
  reviewed: false,
  age: undefined,
  toldAge: [],
  tested: [],
};

const pageText = (edition: PageEdition, names: PageNames) => textIn(edition, names, i18n);

/** The reading level in years of school. */
function level(text: string): number {
  return fleschKincaid({
    sentence: text.split(/[.?!]+(?:\s|$)/u).filter(Boolean).length,
    word: text.split(/\s+/u).length,
    syllable: syllable(text),
  });
}

/** What children asked who read the page for the first time: it comes after the specified sentences. */
const atHome = {
  younger:
    "Is it someone at home? Tell your teacher, or a grown-up who does not live with you. It is not your fault. If one does not help, tell the next one. Do not wait for a message. It may not come.",
  older:
    "Is it someone at home? Talk with a teacher, or an adult who does not live with you. It is not your fault. If the first one does not help, ask the next one. Do not wait for a message. It may not come.",
};

function specified(edition: "younger" | "older"): string {
  const paragraphs = pageText(edition, mia);
  expect(paragraphs.at(-1)).toBe(atHome[edition]);
  return paragraphs.slice(0, -1).join(" ");
}

test("the page for ages 6 to 9 has the specified sentences", () => {
  expect(specified("younger")).toBe(
    "Hi Mia! When you talk with Kitchen, your words are kept. Kitchen is a computer, not a person. It can be wrong. Who can read your words? Kim and Robin can. So can the person who looks after our computer. The people who made Kitchen may keep them too. Kim and Robin may ask you about them. How long? Until a grown-up deletes them. Do you want some words gone? Ask Kim or Robin. If no one should read it, do not tell Kitchen. Are you sad or scared? Is someone hurting you? Tell Kim, Robin, your teacher, or a grown-up you trust. Kitchen cannot come and help you. If your words sound like you need help, a grown-up may get a message.",
  );
});

test("the page for ages from 10 has the specified sentences, with a helpline if there is one", () => {
  expect(specified("older")).toBe(
    "Mia, this is what happens when you talk with Kitchen. What is kept? Your words, the answers, and the time. Porchlight keeps text, not sound. The company behind Kitchen may keep its own copy. Who can read it? Kim and Robin, and the person who runs our server. They may ask you about things you said. How long? Until a grown-up deletes them. You can ask Kim or Robin to show you what is kept, or to delete it sooner. What stays private? Only what you do not tell Kitchen. Who gets a message? Kim or Robin may get one when something you say sounds worrying. That message can be wrong. What if something is wrong? Kitchen is a computer program. It makes mistakes, and it cannot keep you safe. Talk with someone you trust: Kim or Robin, a teacher, or another adult. You can do that even if someone asked you to keep a secret.",
  );
  const helpline = "Childline 0800 1111";
  expect(pageText("older", { ...mia, helpline }).join(" ")).toContain(
    "a teacher, or another adult, or call Childline 0800 1111. You can do that",
  );
});

test.each([
  [365, "One year"],
  [90, "90 days"],
  [30, "30 days"],
] as const)("with a period of %i days the pages say so", (days, long) => {
  const page = (edition: "younger" | "older") => pageText(edition, { ...mia, days }).join(" ");
  expect(page("younger")).toContain(`How long? ${long}. Do you want some words gone?`);
  expect(page("older")).toContain(`How long? ${long}. Then it is deleted. You can ask Kim or Robin to show`);
});

test("the pages say if a program reads along", () => {
  const reviewed = { ...mia, reviewed: true };
  expect(pageText("younger", reviewed).join(" ")).toContain(
    "may ask you about them. A computer program reads them, too. How long?",
  );
  expect(pageText("older", reviewed).join(" ")).toContain(
    "things you said. A computer program also reads along. It can be wrong. How",
  );
});

test("the pages say which assistants are tested", () => {
  for (const edition of ["younger", "older"] as const) {
    const text = (tested: readonly string[]) => pageText(edition, { ...mia, tested }).join(" ");
    expect(text(["Kitchen"])).toContain(
      " Grown-ups test Kitchen with made-up questions, never yours. How long?",
    );
    expect(text(["Kitchen", "Robo"])).toContain("Grown-ups test Kitchen and Robo with made-up questions");
    expect(text([])).not.toContain("made-up");
  }
});

test.each([
  [["Kitchen"], "Kitchen knows that you are 8.", "Kitchen knows that you are 8."],
  [["Kitchen", "Tablet", "Robo"], "They know that you are 8.", "These assistants know that you are 8."],
  [
    ["Kitchen", "Tablet"],
    "Kitchen and Tablet know that you are 8.",
    "Kitchen and Tablet know that you are 8.",
  ],
])("the pages say that %j are told the age", (toldAge, inYounger, inOlder) => {
  const assistants = toldAge.length === 1 ? mia.assistants : ["Kitchen", "Tablet", "Robo"];
  const told = { ...mia, assistants, age: 8, toldAge };

  expect(pageText("younger", told)[0]).toMatch(new RegExp(`can be wrong\\. ${inYounger}$`, "u"));
  expect(pageText("older", told)[1]).toMatch(new RegExp(`own cop(?:y|ies)\\. ${inOlder}$`, "u"));
});

test("the pages don't mention the age if no assistant is told it", () => {
  for (const edition of ["younger", "older"] as const) {
    expect(pageText(edition, { ...mia, age: 8 }).join(" ")).not.toContain("that you are");
    expect(pageText(edition, { ...mia, toldAge: ["Kitchen"] }).join(" ")).not.toContain("that you are");
  }
});

test.each([
  ["younger", 3],
  ["older", 6],
] as const)("the %s page is read at level %i or below", (edition, limit) => {
  for (const days of [null, 365, 90] as const) {
    for (const assistants of [mia.assistants, ["Robo", "Tablet"]])
      for (const reviewed of [false, true])
        for (const toldAge of [[], assistants])
          expect(
            level(
              pageText(edition, {
                ...mia,
                days,
                assistants,
                reviewed,
                age: 8,
                toldAge,
                tested: toldAge,
              }).join(" "),
            ),
          ).toBeLessThanOrEqual(limit);
  }
});

test.each(["younger", "older"] as const)("the %s page lists several assistants once", (edition) => {
  const assistants = ["Robo", "Tablet", "Kitchen speaker", "Grandma's car"];
  const page = pageText(edition, { ...mia, assistants }).join(" ");

  expect(page).toContain("talk with Robo, Tablet, Kitchen speaker, or Grandma's car");
  for (const name of assistants) expect(page.split(name)).toHaveLength(2);
});

test.each([
  [
    { grownUps: ["Mama"], assistants: ["Robo", "Tablet"] },
    "When you talk with Robo or Tablet, your words are kept. They are voice helpers. They are computers, not people. They can be wrong.",
    "Who can read it? Mama, and the person who runs our server.",
  ],
  [
    { grownUps: ["Mama", "Papa", "Oma"], assistants: ["Robo"] },
    "Tell Mama, Papa, Oma, your teacher, or a grown-up you trust.",
    "You can ask Mama, Papa, or Oma to show you what is kept",
  ],
  [
    { grownUps: [], assistants: [] },
    "The voice helper cannot come and help you.",
    "Who can read it? A grown-up at home, and the person who runs our server.",
  ],
])("the sentences fit %o", (names, ofYounger, ofOlder) => {
  expect(pageText("younger", { ...mia, ...names }).join(" ")).toContain(ofYounger);
  expect(pageText("older", { ...mia, ...names }).join(" ")).toContain(ofOlder);
});
