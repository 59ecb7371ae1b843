/** Phrases to begin with, by language: whole sentences rather than words, because "not even scared" has the word, too. A speech recogniser writes them as they are spelled here. */
import { type MessageDescriptor, i18n } from "@lingui/core";
import { msg } from "@lingui/core/macro";

import type { HelpTopic } from "./help";
import { type Phrase, type Side, isWatched } from "./phrases";

export const languages = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  it: "Italiano",
  nl: "Nederlands",
} as const;

export type Language = keyof typeof languages;

export type Kind = "hurting" | "scared" | "secret";

export interface StartingList {
  title: string;
  /** What a guardian can do; null if there is nothing to do at once. */
  helpTopic: HelpTopic | null;
  phrases: readonly Phrase[];
}

/** The assistant is watched, too, where it could be the one who says it. */
const kinds: readonly { kind: Kind; title: MessageDescriptor; side: Side; helpTopic: HelpTopic | null }[] = [
  { kind: "hurting", title: msg`Hurting myself`, side: "child", helpTopic: "self_harm" },
  { kind: "scared", title: msg`Someone hurts or scares me`, side: "child", helpTopic: "scared" },
  { kind: "secret", title: msg`Keep this secret, meet me`, side: "either", helpTopic: null },
];

/** By list. `asked` are those of the last list that are only worrying when the assistant says them. */
const words: Readonly<Record<Language, Readonly<Record<Kind | "asked", readonly string[]>>>> = {
  en: {
    hurting: [
      "want to kill myself",
      "going to kill myself",
      "I want to hurt myself",
      "myself on purpose",
      "I want to die",
      "just want to die",
      "I wanna die",
      "don't want to live anymore",
      "wish I was dead",
      "I hate myself",
    ],
    scared: [
      "dad hits me",
      "daddy hits me",
      "dad hit me",
      "mom hits me",
      "mom hit me",
      "he hurts me",
      "touched me down there",
      "I'm scared of my dad",
      "I'm scared to go home",
      "me if I tell",
    ],
    secret: ["our little secret", "keep this between us", "don't tell your parents"],
    asked: ["our secret", "don't tell mommy", "are you alone", "send me a picture of you"],
  },
  de: {
    hurting: [
      "wäre lieber tot",
      "ich will mir was antun",
      "ich will mich umbringen",
      "ich bringe mich um",
      "ich ritze mich",
      "ich will sterben",
      "will ich sterben",
      "will einfach nur sterben",
      "ich will tot sein",
      "will nicht mehr leben",
      "möchte nicht mehr leben",
      "ich hasse mich",
    ],
    scared: [
      "Papa schlägt mich",
      "Papa haut mich",
      "Papa hat mich geschlagen",
      "Mama schlägt mich",
      "Mama haut mich",
      "Mama hat mich geschlagen",
      "mich da unten angefasst",
      "ich habe Angst vor Papa",
      "ich hab Angst vor Papa",
      "ich habe Angst nach Hause",
    ],
    secret: ["unser kleines Geheimnis", "das bleibt unter uns", "sag deinen Eltern nichts"],
    asked: ["unser Geheimnis", "sag Mama nichts", "bist du allein", "schick mir ein Bild von dir"],
  },
  fr: {
    hurting: [
      "je me fais du mal",
      "je veux me faire du mal",
      "je veux me tuer",
      "je vais me tuer",
      "j'ai envie de mourir",
      "je veux mourir",
      "je veux plus vivre",
      "plus envie de vivre",
      "je veux être mort",
      "je veux être morte",
      "je me déteste",
    ],
    scared: [
      "papa me frappe",
      "papa me tape",
      "papa m'a frappé",
      "maman me frappe",
      "maman me tape",
      "maman m'a frappé",
      "m'a touché le zizi",
      "j'ai peur de papa",
      "j'ai peur de mon papa",
      "j'ai peur de rentrer à la maison",
    ],
    secret: ["notre petit secret", "ça reste entre nous", "dis pas à tes parents"],
    asked: [
      "notre secret",
      "dis rien à maman",
      "tu es tout seul",
      "tu es toute seule",
      "envoie-moi une photo de toi",
    ],
  },
  es: {
    hurting: [
      "me voy a matar",
      "quiero hacerme daño",
      "quiero matarme",
      "me quiero matar",
      "quiero morir",
      "quiero morirme",
      "ya no quiero vivir",
      "quiero estar muerto",
      "quiero estar muerta",
      "me odio a mí",
    ],
    scared: [
      "mi padre me pega",
      "papá me pega",
      "papá me ha pegado",
      "papá me pegó",
      "mamá me pega",
      "mamá me ha pegado",
      "mamá me pegó",
      "me tocó ahí abajo",
      "me da miedo papá",
      "miedo de volver a casa",
      "miedo volver a casa",
    ],
    secret: ["nuestro pequeño secreto", "esto se queda entre nosotros", "no se lo digas a tus padres"],
    asked: [
      "nuestro secreto",
      "no se lo digas a mamá",
      "estás solo en casa",
      "estás sola en casa",
      "mándame una foto tuya",
    ],
  },
  it: {
    hurting: [
      "mi voglio uccidere",
      "mi faccio del male",
      "voglio farmi del male",
      "voglio uccidermi",
      "voglio ammazzarmi",
      "voglio morire",
      "voglio solo morire",
      "vorrei morire",
      "vorrei essere morto",
      "vorrei essere morta",
      "non voglio più vivere",
      "mi odio",
    ],
    scared: [
      "papà mi picchia",
      "papà mi ha picchiato",
      "papà mi ha picchiata",
      "mamma mi picchia",
      "mamma mi ha picchiato",
      "mamma mi ha picchiata",
      "mi ha toccato lì sotto",
      "ho paura di papà",
      "paura di tornare a casa",
    ],
    secret: ["il nostro piccolo segreto", "questo resta tra noi", "non dirlo ai tuoi genitori"],
    asked: [
      "il nostro segreto",
      "non dirlo alla mamma",
      "sei da solo",
      "sei da sola",
      "mandami una tua foto",
    ],
  },
  nl: {
    hurting: [
      "wil gewoon niet meer leven",
      "wil mezelf pijn doen",
      "wil ik mezelf pijn doen",
      "ik ga mezelf pijn doen",
      "mezelf expres pijn",
      "mezelf iets aandoen",
      "ik snij mezelf",
      "ik maak mezelf dood",
      "ik wil dood",
      "wil ik dood",
      "wil niet meer leven",
      "ik haat mezelf",
    ],
    scared: [
      "hij doet me pijn",
      "papa slaat me",
      "papa slaat mij",
      "papa sloeg me",
      "mama slaat me",
      "mama slaat mij",
      "mama sloeg me",
      "daar beneden aangeraakt",
      "ik ben bang voor papa",
      "ik ben bang om naar huis",
    ],
    secret: ["ons kleine geheim", "dit blijft onder ons", "zeg het niet tegen je ouders"],
    asked: ["ons geheim", "niet tegen mama zeggen", "ben je alleen", "stuur me een foto van jezelf"],
  },
};

export function startingLists(language: Language): StartingList[] {
  return kinds.map(({ kind, title, helpTopic, side }) => ({
    title: i18n._(title),
    helpTopic,
    phrases: [
      ...words[language][kind].map((each) => ({ words: each, side })),
      ...(kind === "secret" ? words[language].asked : []).map((each) => ({
        words: each,
        side: "assistant" as const,
      })),
    ],
  }));
}

/** What a guardian can do about a phrase of these lists that was said; null for others. */
export function helpTopicOf(phrase: Phrase | undefined): HelpTopic | null {
  if (phrase === undefined) return null;
  const lists = Object.keys(languages).flatMap((code) => startingLists(languageOf([code])));
  // Whichever side the guardian watches.
  const isIn = ({ phrases }: StartingList) =>
    phrases.some((each) => isWatched([{ ...each, side: phrase.side }], phrase));
  return lists.find(isIn)?.helpTopic ?? null;
}

/** The first of a browser's languages that has lists; else English. */
export function languageOf(preferred: readonly string[]): Language {
  const known = preferred.map((tag) => tag.split("-")[0]?.toLowerCase() ?? "").find(isLanguage);
  return known ?? "en";
}

function isLanguage(code: string): code is Language {
  return Object.hasOwn(languages, code);
}
