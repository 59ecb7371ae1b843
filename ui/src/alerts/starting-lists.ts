/** Phrases to begin with, by language. A speech recogniser writes them as they are spelled here. */
import type { Phrase, Side } from "./phrases";

export const languages = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  it: "Italiano",
  nl: "Nederlands",
} as const;

export type Language = keyof typeof languages;

type Kind = "hurting" | "scared" | "secret";

export interface StartingList {
  title: string;
  phrases: readonly Phrase[];
}

/** The assistant is watched, too, where it could be the one who says it. */
const kinds: readonly { kind: Kind; title: string; side: Side }[] = [
  { kind: "hurting", title: "Hurting myself", side: "child" },
  { kind: "scared", title: "Someone hurts or scares me", side: "child" },
  { kind: "secret", title: "Keep this secret, meet me", side: "either" },
];

const words: Readonly<Record<Language, Readonly<Record<Kind, readonly string[]>>>> = {
  en: {
    hurting: ["hurt myself", "kill myself", "cut myself", "want to die", "wish I was dead", "hate myself"],
    scared: ["hits me", "hurts me", "touched me", "scared of him", "scared of her", "scared to go home"],
    secret: [
      "our secret",
      "keep it a secret",
      "don't tell your parents",
      "don't tell anyone",
      "meet me",
      "send me a picture",
    ],
  },
  de: {
    hurting: [
      "mir wehtun",
      "mich umbringen",
      "mich ritzen",
      "ich will sterben",
      "nicht mehr leben",
      "hasse mich",
    ],
    scared: [
      "schlägt mich",
      "tut mir weh",
      "hat mich angefasst",
      "Angst vor ihm",
      "Angst vor ihr",
      "Angst nach Hause",
    ],
    secret: [
      "unser Geheimnis",
      "bleibt unter uns",
      "sag deinen Eltern nichts",
      "sag es niemandem",
      "triff mich",
      "schick mir ein Foto",
    ],
  },
  fr: {
    hurting: [
      "me faire du mal",
      "me tuer",
      "me couper",
      "envie de mourir",
      "je veux mourir",
      "je me déteste",
    ],
    scared: ["me frappe", "me fait mal", "m'a touché", "peur de lui", "peur d'elle", "peur de rentrer"],
    secret: [
      "notre secret",
      "garde le secret",
      "ne le dis pas à tes parents",
      "ne le dis à personne",
      "retrouve-moi",
      "envoie-moi une photo",
    ],
  },
  es: {
    hurting: ["hacerme daño", "matarme", "cortarme", "quiero morir", "quiero morirme", "me odio"],
    scared: [
      "me pega",
      "me hace daño",
      "me ha tocado",
      "miedo de él",
      "miedo de ella",
      "miedo de volver a casa",
    ],
    secret: [
      "nuestro secreto",
      "guarda el secreto",
      "no se lo digas a tus padres",
      "no se lo digas a nadie",
      "nos vemos a solas",
      "mándame una foto",
    ],
  },
  it: {
    hurting: [
      "farmi del male",
      "uccidermi",
      "tagliarmi",
      "voglio morire",
      "non voglio più vivere",
      "mi odio",
    ],
    scared: [
      "mi picchia",
      "mi fa male",
      "mi ha toccato",
      "paura di lui",
      "paura di lei",
      "paura di tornare a casa",
    ],
    secret: [
      "il nostro segreto",
      "mantieni il segreto",
      "non dirlo ai tuoi genitori",
      "non dirlo a nessuno",
      "vediamoci da soli",
      "mandami una foto",
    ],
  },
  nl: {
    hurting: [
      "mezelf pijn doen",
      "mezelf iets aandoen",
      "mezelf snijden",
      "ik wil dood",
      "niet meer leven",
      "haat mezelf",
    ],
    scared: [
      "slaat me",
      "doet me pijn",
      "heeft me aangeraakt",
      "bang voor hem",
      "bang voor haar",
      "bang om naar huis te gaan",
    ],
    secret: [
      "ons geheim",
      "hou het geheim",
      "zeg het niet tegen je ouders",
      "zeg het tegen niemand",
      "kom alleen",
      "stuur me een foto",
    ],
  },
};

export function startingLists(language: Language): StartingList[] {
  return kinds.map(({ kind, title, side }) => ({
    title,
    phrases: words[language][kind].map((each) => ({ words: each, side })),
  }));
}

/** The first of a browser's languages that has lists; else English. */
export function languageOf(preferred: readonly string[]): Language {
  const known = preferred.map((tag) => tag.split("-")[0]?.toLowerCase() ?? "").find(isLanguage);
  return known ?? "en";
}

function isLanguage(code: string): code is Language {
  return Object.hasOwn(languages, code);
}
