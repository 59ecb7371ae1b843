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
    hurting: [
      "want to hurt myself",
      "kill myself",
      "cutting myself",
      "want to die",
      "want to be dead",
      "hate myself",
    ],
    scared: ["hits me", "hit me", "hurt me", "touched my", "scared of daddy", "scared to go home"],
    secret: [
      "our secret",
      "keep it a secret",
      "don't tell your parents",
      "don't tell mommy",
      "are you alone",
      "send me a picture of you",
    ],
  },
  de: {
    hurting: [
      "mir was antun",
      "mich umbringen",
      "mich ritzen",
      "ich will sterben",
      "ich will tot sein",
      "hasse mich",
    ],
    scared: [
      "schlägt mich",
      "haut mich",
      "hat mich geschlagen",
      "hat mich angefasst",
      "Angst vor Papa",
      "Angst nach Hause",
    ],
    secret: [
      "unser Geheimnis",
      "bleibt unter uns",
      "sag deinen Eltern nichts",
      "sag Mama nichts",
      "bist du allein",
      "schick mir ein Bild von dir",
    ],
  },
  fr: {
    hurting: [
      "me faire du mal",
      "me tuer",
      "envie de mourir",
      "je veux mourir",
      "je veux être morte",
      "je me déteste",
    ],
    scared: ["me frappe", "me tape", "m'a frappé", "peur de papa", "peur de rentrer"],
    secret: [
      "notre secret",
      "garde le secret",
      "ne le dis pas à tes parents",
      "dis rien à maman",
      "tu es seule",
      "envoie-moi une photo de toi",
    ],
  },
  es: {
    hurting: ["hacerme daño", "matarme", "quiero morir", "quiero morirme", "quiero estar muerta", "me odio"],
    scared: ["me pega", "me ha pegado", "me pegó", "me da miedo papá", "miedo de volver a casa"],
    secret: [
      "nuestro secreto",
      "guarda el secreto",
      "no se lo digas a tus padres",
      "no se lo digas a mamá",
      "estás sola",
      "mándame una foto tuya",
    ],
  },
  it: {
    hurting: [
      "farmi del male",
      "uccidermi",
      "voglio morire",
      "voglio essere morta",
      "non voglio più vivere",
      "mi odio",
    ],
    scared: ["mi picchia", "mi ha picchiato", "mi ha toccato lì", "paura di papà", "paura di tornare a casa"],
    secret: [
      "il nostro segreto",
      "mantieni il segreto",
      "non dirlo ai tuoi genitori",
      "non dirlo alla mamma",
      "sei da sola",
      "mandami una tua foto",
    ],
  },
  nl: {
    hurting: ["mezelf pijn doen", "mezelf iets aandoen", "mezelf snijden", "ik wil dood", "haat mezelf"],
    scared: ["slaat me", "sloeg me", "heeft me aangeraakt", "bang voor papa", "bang om naar huis te gaan"],
    secret: [
      "ons geheim",
      "hou het geheim",
      "zeg het niet tegen je ouders",
      "niet tegen mama zeggen",
      "ben je alleen",
      "stuur me een foto van jezelf",
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
