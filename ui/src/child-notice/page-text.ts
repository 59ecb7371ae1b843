import type { I18n, MessageDescriptor } from "@lingui/core";
import { msg, plural } from "@lingui/core/macro";

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

/** The paragraphs of a child's page in the language of `i18n`. A paragraph may begin with questions. */
export function pageText(edition: PageEdition, names: PageNames, i18n: I18n): readonly string[] {
  const grownUps = names.grownUps.length === 0 ? [i18n._(somebody())] : names.grownUps;
  const assistants = names.assistants.length === 0 ? [i18n._(something())] : names.assistants;
  const words: Words = {
    ...names,
    readers: joinNames(grownUps, i18n),
    readerCount: grownUps.length,
    reader: oneOfNames(grownUps, i18n),
    eachReader: grownUps.join(", "),
    helper: oneOfNames(assistants, i18n),
    areSeveral: assistants.length > 1,
  };
  const paragraphs = edition === "younger" ? younger(words, i18n) : older(words, i18n);
  return paragraphs.map((sentences) =>
    sentences
      .filter((sentence) => sentence !== null)
      .map((sentence) => i18n._(sentence))
      .join(" ")
      // A name may begin a sentence.
      .replace(/(?:^|[.?!] )\p{Ll}/gu, (text) => text.toLocaleUpperCase(pageLocale(i18n))),
  );
}

function somebody(): MessageDescriptor {
  return msg({ message: "a grown-up at home", comment: "In place of a name on the page for a child" });
}

function something(): MessageDescriptor {
  return msg({ message: "the voice helper", comment: "In place of a name on the page for a child" });
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
type Paragraph = readonly (MessageDescriptor | null)[];

/** Null if nobody knows it. */
function knowsAge(
  { age, toldAge, assistants }: PageNames,
  edition: PageEdition,
  i18n: I18n,
): MessageDescriptor | null {
  if (age === undefined || toldAge.length === 0) return null;
  const names = joinNames(toldAge, i18n);
  if (toldAge.length === 1) return msg`${{ name: names }} knows that you are ${age}.`;
  if (toldAge.length < assistants.length) return msg`${names} know that you are ${age}.`;
  return edition === "younger"
    ? msg`They know that you are ${age}.`
    : msg`These assistants know that you are ${age}.`;
}

/** Null if nobody made a test. */
function tested({ tested: names }: PageNames, i18n: I18n): MessageDescriptor | null {
  return names.length === 0
    ? null
    : msg`Grown-ups test ${{ names: joinNames(names, i18n) }} with made-up questions, never yours.`;
}

function howLong(days: RetentionDays): MessageDescriptor {
  if (days === null) return msg`How long? Until a grown-up deletes them.`;
  if (days === 365) return msg`How long? One year.`;
  return msg({ message: plural(days, { one: "How long? # day.", other: "How long? # days." }) });
}

function younger(words: Words, i18n: I18n): readonly Paragraph[] {
  const { child, readers, readerCount, reader, eachReader, helper, areSeveral, days, reviewed } = words;
  return [
    [
      msg`Hi ${child}! When you talk with ${helper}, your words are kept.`,
      areSeveral
        ? msg`They are voice helpers. They are computers, not people. They can be wrong.`
        : msg`${helper} is a computer, not a person. It can be wrong.`,
      knowsAge(words, "younger", i18n),
    ],
    [
      msg({
        message: plural(readerCount, {
          one: `Who can read your words? ${readers} can. So can the person who looks after our computer.`,
          other: `Who can read your words? ${readers} can. So can the person who looks after our computer.`,
        }),
      }),
      areSeveral
        ? msg`The people who made the voice helpers may keep them too.`
        : msg`The people who made ${helper} may keep them too.`,
      msg({
        message: plural(readerCount, {
          one: `${readers} may ask you about them.`,
          other: `${readers} may ask you about them.`,
        }),
      }),
      reviewed ? msg`A computer program reads them, too.` : null,
      tested(words, i18n),
    ],
    [howLong(days)],
    [
      msg`Do you want some words gone? Ask ${reader}.`,
      areSeveral
        ? msg`If no one should read it, do not tell a voice helper.`
        : msg`If no one should read it, do not tell ${helper}.`,
    ],
    [
      msg`Are you sad or scared? Is someone hurting you? Tell ${{ readers: eachReader }}, your teacher, or a grown-up you trust.`,
      areSeveral
        ? msg`The voice helpers cannot come and help you.`
        : msg`${helper} cannot come and help you.`,
      msg`If your words sound like you need help, a grown-up may get a message.`,
    ],
    [
      msg`Is it someone at home? Tell your teacher, or a grown-up who does not live with you. It is not your fault. If one does not help, tell the next one. Do not wait for a message. It may not come.`,
    ],
  ];
}

function older(words: Words, i18n: I18n): readonly Paragraph[] {
  const { child, readers, reader, helper, areSeveral, helpline, days, reviewed } = words;
  return [
    [msg`${child}, this is what happens when you talk with ${helper}.`],
    [
      msg`What is kept? Your words, the answers, and the time. Porchlight keeps text, not sound.`,
      areSeveral
        ? msg`The companies behind these assistants may keep their own copies.`
        : msg`The company behind ${helper} may keep its own copy.`,
      knowsAge(words, "older", i18n),
    ],
    [
      msg`Who can read it? ${readers}, and the person who runs our server. They may ask you about things you said.`,
      reviewed ? msg`A computer program also reads along. It can be wrong.` : null,
      tested(words, i18n),
    ],
    [
      howLong(days),
      days === null ? null : msg`Then it is deleted.`,
      msg`You can ask ${reader} to show you what is kept, or to delete it sooner.`,
    ],
    [
      areSeveral
        ? msg`What stays private? Only what you do not tell an assistant.`
        : msg`What stays private? Only what you do not tell ${helper}.`,
    ],
    [
      msg`Who gets a message? ${reader} may get one when something you say sounds worrying. That message can be wrong.`,
    ],
    [
      msg`What if something is wrong?`,
      areSeveral
        ? msg`These assistants are computer programs. They make mistakes, and they cannot keep you safe.`
        : msg`${helper} is a computer program. It makes mistakes, and it cannot keep you safe.`,
      helpline === undefined
        ? msg`Talk with someone you trust: ${reader}, a teacher, or another adult.`
        : msg`Talk with someone you trust: ${reader}, a teacher, or another adult, or call ${helpline}.`,
      msg`You can do that even if someone asked you to keep a secret.`,
    ],
    [
      msg`Is it someone at home? Talk with a teacher, or an adult who does not live with you. It is not your fault. If the first one does not help, ask the next one. Do not wait for a message. It may not come.`,
    ],
  ];
}
