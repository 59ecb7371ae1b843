import type { components } from "../api/generated/schema";
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

const SOMEBODY = "a grown-up at home";
const SOMETHING = "the voice helper";

const listed = {
  and: new Intl.ListFormat("en", { type: "conjunction" }),
  or: new Intl.ListFormat("en", { type: "disjunction" }),
};

/** The paragraphs of a child's page. A paragraph may begin with questions. */
export function pageText(edition: PageEdition, names: PageNames): readonly string[] {
  const grownUps = names.grownUps.length === 0 ? [SOMEBODY] : names.grownUps;
  const assistants = names.assistants.length === 0 ? [SOMETHING] : names.assistants;
  const words: Words = {
    child: names.child,
    readers: listed.and.format(grownUps),
    reader: listed.or.format(grownUps),
    eachReader: grownUps.join(", "),
    helper: listed.or.format(assistants),
    areSeveral: assistants.length > 1,
    helpline: names.helpline,
    howLong: howLong(names.days),
    reviewed: names.reviewed,
    knowsAge: knowsAge(names, edition === "younger" ? "They" : "These assistants"),
    tested: tested(names),
  };
  const paragraphs = edition === "younger" ? younger(words) : older(words);
  return paragraphs.map((paragraph) => paragraph.replace(/(?:^|[.?!] )\p{Ll}/gu, upperCase));
}

interface Words {
  child: string;
  readers: string;
  reader: string;
  eachReader: string;
  /** The assistants' names. Several are only listed once, so that the page stays readable. */
  helper: string;
  areSeveral: boolean;
  helpline: string | undefined;
  /** "One year"; null for ever. */
  howLong: string | null;
  reviewed: boolean;
  /** The sentence about who knows the age, after a space; empty if nobody does. */
  knowsAge: string;
  /** The sentence about tests, after a space; empty if nobody made one. */
  tested: string;
}

/** `all` is what several assistants are called once they were listed. */
function knowsAge({ age, toldAge, assistants }: PageNames, all: string): string {
  if (age === undefined || toldAge.length === 0) return "";
  if (toldAge.length === 1) return ` ${toldAge.join("")} knows that you are ${age}.`;
  const who = toldAge.length === assistants.length ? all : listed.and.format(toldAge);
  return ` ${who} know that you are ${age}.`;
}

function tested({ tested: names }: PageNames): string {
  return names.length === 0
    ? ""
    : ` Grown-ups test ${listed.and.format(names)} with made-up questions, never yours.`;
}

function howLong(days: RetentionDays): string | null {
  if (days === null) return null;
  return days === 365 ? "One year" : `${days} days`;
}

function younger({
  child,
  readers,
  reader,
  eachReader,
  helper,
  areSeveral,
  howLong: long,
  reviewed,
  knowsAge: whoKnowsAge,
  tested: whatIsTested,
}: Words): readonly string[] {
  const [helpers, anyHelper] = areSeveral ? ["the voice helpers", "a voice helper"] : [helper, helper];
  const whatItIs = areSeveral
    ? "They are voice helpers. They are computers, not people. They can be wrong."
    : `${helper} is a computer, not a person. It can be wrong.`;
  return [
    `Hi ${child}! When you talk with ${helper}, your words are kept. ${whatItIs}${whoKnowsAge}`,
    `Who can read your words? ${readers} can. So can the person who looks after our computer. The people who made ${helpers} may keep them too. ${readers} may ask you about them.${reviewed ? " A computer program reads them, too." : ""}${whatIsTested}`,
    `How long? ${long ?? "Until a grown-up deletes them"}.`,
    `Do you want some words gone? Ask ${reader}. If no one should read it, do not tell ${anyHelper}.`,
    `Are you sad or scared? Is someone hurting you? Tell ${eachReader}, your teacher, or a grown-up you trust. ${helpers} cannot come and help you. If your words sound like you need help, a grown-up may get a message.`,
    "Is it someone at home? Tell your teacher, or a grown-up who does not live with you. It is not your fault. If one does not help, tell the next one. Do not wait for a message. It may not come.",
  ];
}

function older(words: Words): readonly string[] {
  const { child, readers, reader, helper, areSeveral, helpline, howLong: long, reviewed } = words;
  const until = long === null ? "Until a grown-up deletes them." : `${long}. Then it is deleted.`;
  const companies = areSeveral
    ? "The companies behind these assistants may keep their own copies."
    : `The company behind ${helper} may keep its own copy.`;
  const whatItIs = areSeveral
    ? "These assistants are computer programs. They make mistakes, and they cannot keep you safe."
    : `${helper} is a computer program. It makes mistakes, and it cannot keep you safe.`;
  const help = helpline === undefined ? "" : `, or call ${helpline}`;
  return [
    `${child}, this is what happens when you talk with ${helper}.`,
    `What is kept? Your words, the answers, and the time. Porchlight keeps text, not sound. ${companies}${words.knowsAge}`,
    `Who can read it? ${readers}, and the person who runs our server. They may ask you about things you said.${reviewed ? " A computer program also reads along. It can be wrong." : ""}${words.tested}`,
    `How long? ${until} You can ask ${reader} to show you what is kept, or to delete it sooner.`,
    `What stays private? Only what you do not tell ${areSeveral ? "an assistant" : helper}.`,
    `Who gets a message? ${reader} may get one when something you say sounds worrying. That message can be wrong.`,
    `What if something is wrong? ${whatItIs} Talk with someone you trust: ${reader}, a teacher, or another adult${help}. You can do that even if someone asked you to keep a secret.`,
    "Is it someone at home? Talk with a teacher, or an adult who does not live with you. It is not your fault. If the first one does not help, ask the next one. Do not wait for a message. It may not come.",
  ];
}

function upperCase(text: string): string {
  return text.toUpperCase();
}
