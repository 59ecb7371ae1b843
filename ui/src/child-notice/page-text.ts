import { plural, t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";
import { pageLocale } from "../format/locale";
import { joinNames, oneOfNames } from "../format/names";
import type { RetentionDays } from "../format/retention";

export type PageEdition = components["schemas"]["PageEdition"];

/** What the texts of a page for a child are made from. */
export interface PageNames {
  child: string;
  /** What the child calls the grown-ups who read, and the assistants. */
  grownUps: readonly string[];
  assistants: readonly string[];
  helpline: string | undefined;
  /** For how long conversations are kept. */
  days: RetentionDays;
  /** Whether a model reads along. */
  reviewed: boolean;
  /** The child's age, and what the child calls the assistants that are told it. */
  age: number | undefined;
  toldAge: readonly string[];
  /** What the child calls the assistants that were tested with made-up questions. */
  tested: readonly string[];
}

/** The paragraphs of a child's page. A paragraph may begin with questions. */
export function pageText(edition: PageEdition, names: PageNames): readonly string[] {
  const grownUps = names.grownUps.length === 0 ? [somebody()] : names.grownUps;
  const assistants = names.assistants.length === 0 ? [something()] : names.assistants;
  const words: Words = {
    ...names,
    readers: joinNames(grownUps),
    readerCount: grownUps.length,
    reader: oneOfNames(grownUps),
    eachReader: grownUps.join(", "),
    helper: oneOfNames(assistants),
    areSeveral: assistants.length > 1,
  };
  const paragraphs = edition === "younger" ? younger(words) : older(words);
  return paragraphs.map((sentences) =>
    sentences
      .filter((sentence) => sentence !== null)
      .join(" ")
      // A name may begin a sentence.
      .replace(/(?:^|[.?!] )\p{Ll}/gu, (text) => text.toLocaleUpperCase(pageLocale())),
  );
}

function somebody(): string {
  return t({ message: "a grown-up at home", comment: "In place of a name on the page for a child" });
}

function something(): string {
  return t({ message: "the voice helper", comment: "In place of a name on the page for a child" });
}

interface Words extends PageNames {
  readers: string;
  readerCount: number;
  reader: string;
  eachReader: string;
  /** The assistants' names. Several are only listed once, so that the page stays readable. */
  helper: string;
  areSeveral: boolean;
}

/** The sentences of a paragraph; null for one that doesn't apply. */
type Paragraph = readonly (string | null)[];

/** Null if nobody knows it. */
function knowsAge({ age, toldAge, assistants }: PageNames, edition: PageEdition): string | null {
  if (age === undefined || toldAge.length === 0) return null;
  const names = joinNames(toldAge);
  if (toldAge.length === 1) return t`${{ name: names }} knows that you are ${age}.`;
  if (toldAge.length < assistants.length) return t`${names} know that you are ${age}.`;
  return edition === "younger"
    ? t`They know that you are ${age}.`
    : t`These assistants know that you are ${age}.`;
}

/** Null if nobody made a test. */
function tested({ tested: names }: PageNames): string | null {
  return names.length === 0
    ? null
    : t`Grown-ups test ${{ names: joinNames(names) }} with made-up questions, never yours.`;
}

function howLong(days: RetentionDays): string {
  if (days === null) return t`How long? Until a grown-up deletes them.`;
  if (days === 365) return t`How long? One year.`;
  return plural(days, { one: "How long? # day.", other: "How long? # days." });
}

function younger(words: Words): readonly Paragraph[] {
  const { child, readers, readerCount, reader, eachReader, helper, areSeveral, days, reviewed } = words;
  return [
    [
      t`Hi ${child}! When you talk with ${helper}, your words are kept.`,
      areSeveral
        ? t`They are voice helpers. They are computers, not people. They can be wrong.`
        : t`${helper} is a computer, not a person. It can be wrong.`,
      knowsAge(words, "younger"),
    ],
    [
      plural(readerCount, {
        one: `Who can read your words? ${readers} can. So can the person who looks after our computer.`,
        other: `Who can read your words? ${readers} can. So can the person who looks after our computer.`,
      }),
      areSeveral
        ? t`The people who made the voice helpers may keep them too.`
        : t`The people who made ${helper} may keep them too.`,
      plural(readerCount, {
        one: `${readers} may ask you about them.`,
        other: `${readers} may ask you about them.`,
      }),
      reviewed ? t`A computer program reads them, too.` : null,
      tested(words),
    ],
    [howLong(days)],
    [
      t`Do you want some words gone? Ask ${reader}.`,
      areSeveral
        ? t`If no one should read it, do not tell a voice helper.`
        : t`If no one should read it, do not tell ${helper}.`,
    ],
    [
      t`Are you sad or scared? Is someone hurting you? Tell ${{ readers: eachReader }}, your teacher, or a grown-up you trust.`,
      areSeveral ? t`The voice helpers cannot come and help you.` : t`${helper} cannot come and help you.`,
      t`If your words sound like you need help, a grown-up may get a message.`,
    ],
    [
      t`Is it someone at home? Tell your teacher, or a grown-up who does not live with you. It is not your fault. If one does not help, tell the next one. Do not wait for a message. It may not come.`,
    ],
  ];
}

function older(words: Words): readonly Paragraph[] {
  const { child, readers, reader, helper, areSeveral, helpline, days, reviewed } = words;
  return [
    [t`${child}, this is what happens when you talk with ${helper}.`],
    [
      t`What is kept? Your words, the answers, and the time. Porchlight keeps text, not sound.`,
      areSeveral
        ? t`The companies behind these assistants may keep their own copies.`
        : t`The company behind ${helper} may keep its own copy.`,
      knowsAge(words, "older"),
    ],
    [
      t`Who can read it? ${readers}, and the person who runs our server. They may ask you about things you said.`,
      reviewed ? t`A computer program also reads along. It can be wrong.` : null,
      tested(words),
    ],
    [
      howLong(days),
      days === null ? null : t`Then it is deleted.`,
      t`You can ask ${reader} to show you what is kept, or to delete it sooner.`,
    ],
    [
      areSeveral
        ? t`What stays private? Only what you do not tell an assistant.`
        : t`What stays private? Only what you do not tell ${helper}.`,
    ],
    [
      t`Who gets a message? ${reader} may get one when something you say sounds worrying. That message can be wrong.`,
    ],
    [
      t`What if something is wrong?`,
      areSeveral
        ? t`These assistants are computer programs. They make mistakes, and they cannot keep you safe.`
        : t`${helper} is a computer program. It makes mistakes, and it cannot keep you safe.`,
      helpline === undefined
        ? t`Talk with someone you trust: ${reader}, a teacher, or another adult.`
        : t`Talk with someone you trust: ${reader}, a teacher, or another adult, or call ${helpline}.`,
      t`You can do that even if someone asked you to keep a secret.`,
    ],
    [
      t`Is it someone at home? Talk with a teacher, or an adult who does not live with you. It is not your fault. If the first one does not help, ask the next one. Do not wait for a message. It may not come.`,
    ],
  ];
}
