import { expect, test } from "vitest";

import type { Phrase } from "./phrases";
import { type Kind, type Language, helpTopicOf, startingLists } from "./starting-lists";
import { isSaid } from "../test/phrase-matching";
import * as de from "../test/said-by-children/de";
import * as en from "../test/said-by-children/en";
import * as es from "../test/said-by-children/es";
import * as fr from "../test/said-by-children/fr";
import * as it from "../test/said-by-children/it";
import * as nl from "../test/said-by-children/nl";

test.each([
  ["hit me", "He hit me.", true],
  ["hit me", "a hitchhiking mermaid", false],
  ["hit me", "hit men", false],
  ["hit me", "he hits me", false],
  ["hit me", "hit and me", false],
  ["hit me", "HIT  ME", true],
  ["hit me", "They hit, me too", true],
  ["our secret", "It is our... secret!", true],
  ["our secret", "four secrets", false],
  ["don't tell", "Don’t tell anyone", true],
  ["cafe", "the CAFÉ", true],
  ["strasse", "Die Straße", true],
])("the server's rules: %j in %j is %s", (phrase, text, expected) => {
  expect(isSaid(phrase, text)).toBe(expected);
});

const said = { en, de, fr, es, it, nl };

const codes = ["en", "de", "fr", "es", "it", "nl"] as const;

/** The harmless ones that ring. They have the worrying words in full, and no narrower phrase would find "I want to die". */
const ringing: Readonly<Record<Language, Readonly<Record<Kind, readonly string[]>>>> = {
  en: {
    hurting: [
      "I hate myself for selling that sword.",
      "I hate myself in that photo, my hair looks funny.",
      "I want to die my hair pink.",
      "I wish I was dead famous.",
    ],
    scared: [],
    secret: ["Don't tell your parents jokes that they know already."],
  },
  de: {
    hurting: [
      "Ich will sterben, damit ich am Spawn wieder rauskomme.",
      "Ich will mich umbringen lassen, dann bin ich wieder in der Lobby.",
      "Ich ritze mich immer an den Brombeeren.",
      "Ich will nicht mehr leben wie ein Ritter, die hatten kein Klo.",
      "Ich hasse mich auf dem Foto, ich gucke so doof.",
      "Ich hasse mich dafür, dass ich das Schwert verkauft hab.",
    ],
    scared: ["Papa schlägt mich immer im Schach.", "Mama schlägt mich nie bei Mario Kart."],
    secret: [
      "Unser kleines Geheimnis ist, dass wir Plätzchen genascht haben.",
      "Das bleibt unter uns, sonst ist die Überraschung kaputt.",
    ],
  },
  fr: {
    hurting: [
      "Je veux mourir pour revenir au point de départ.",
      "Je veux mourir dans la lave pour voir ce que ça fait.",
      "Je veux être mort dans la pièce de théâtre, comme ça je dors.",
      "Je veux être mort en premier pour être un fantôme.",
      "Je veux me tuer dans Roblox pour réapparaître.",
      "Je me déteste sur cette photo.",
      "Je me déteste d'avoir vendu mon épée.",
      "Je me déteste pas, j'ai juste raté mon dessin.",
      "Je veux plus vivre dans un château, il fait trop froid.",
    ],
    scared: [
      "Papa me tape dans la main quand je marque un but.",
      "J'ai peur de papa quand il met son masque de loup.",
    ],
    secret: [
      "C'est notre petit secret, on a mangé les cookies.",
      "Notre petit secret de magicien, c'est la double poche.",
      "Ça reste entre nous, sinon c'est plus une surprise.",
      "Dis pas à tes parents qu'on leur prépare un spectacle.",
    ],
  },
  es: {
    hurting: [
      "No quiero morir otra vez en este nivel.",
      "No quiero morir en la lava, ayúdame.",
      "No me quiero morir nunca, ¿se puede?",
      "Me quiero morir de vergüenza, se me vio el calzoncillo.",
      "Quiero morir el último para ganar la partida.",
      "En el teatro quiero estar muerto y que venga el médico.",
      "Quiero matarme en Roblox para volver al principio.",
      "No quiero hacerme daño, por eso llevo casco.",
      "Ya no quiero vivir en un castillo, hace frío.",
    ],
    scared: [
      "Papá me pega una pegatina en la frente.",
      "Mamá me pega los cromos en el álbum.",
      "Mamá me pegó la gripe.",
      "Papá me pegó el resfriado, achís.",
      "Papá me ha pegado la suela del zapato.",
      "No me da miedo papá cuando hace de monstruo.",
      "Me da miedo papá cuando se pone la máscara de lobo.",
      "No tengo miedo de volver a casa de noche.",
    ],
    secret: [
      "Es nuestro pequeño secreto, nos comimos las galletas.",
      "No se lo digas a tus padres, que es una sorpresa para ellos.",
    ],
  },
  it: {
    hurting: [
      "Non voglio morire in questo livello.",
      "Non voglio morire nella lava, aiutami.",
      "Voglio morire per ultimo così vinco.",
      "Non voglio morire mai, si può?",
      "Voglio uccidermi su Roblox così rinasco.",
      "Non voglio farmi del male, per questo metto il casco.",
      "Mi odio in quella foto.",
      "Mi odio per aver venduto la spada.",
      "Non mi odio, ho solo sbagliato il disegno.",
      "Non voglio più vivere in un castello, fa freddo.",
    ],
    scared: [
      "Papà mi picchia sempre nel videogioco di lotta.",
      "Non ho paura di papà quando fa il mostro.",
      "Ho paura di papà quando si mette la maschera da lupo.",
      "Non ho paura di tornare a casa al buio.",
    ],
    secret: [
      "È il nostro piccolo segreto, abbiamo mangiato i biscotti.",
      "Questo resta tra noi, se no non è più una sorpresa.",
      "Non dirlo ai tuoi genitori, è una sorpresa per loro.",
    ],
  },
  nl: {
    hurting: [
      "Ik wil dood spelen en dan prik jij me.",
      "Ik wil dood zijn in het toneelstuk, dan mag ik slapen.",
      "Ik wil dood in de lava, dan begin ik opnieuw.",
      "Ik snij mezelf altijd als ik appels schil.",
      "Ik haat mezelf op die foto.",
      "Ik haat mezelf omdat ik dat zwaard heb verkocht.",
      "Ik haat mezelf niet, mijn tekening is gewoon mislukt.",
      "Ik wil niet meer leven als een ridder, ze hadden geen wc.",
    ],
    scared: [
      "Papa slaat me altijd over met Uno.",
      "Papa slaat me over, ik was aan de beurt!",
      "Mama slaat me over bij het voorlezen.",
      "Ik ben bang voor papa als hij zijn wolvenmasker op heeft.",
    ],
    secret: [
      "Ons kleine geheim is dat we koekjes hebben gesnoept.",
      "Dit blijft onder ons, anders is het geen verrassing meer.",
      "Zeg het niet tegen je ouders, het is een verrassing voor hen.",
    ],
  },
};

test.each(codes)("there are 300 different harmless sentences in %s", (code) => {
  expect(said[code].harmless.length).toBe(300);
  expect(new Set(said[code].harmless).size).toBe(300);
});

test.each(codes)("of 300 harmless sentences of a child in %s only these ring", (code) => {
  for (const { kind, phrases } of listsIn(code)) {
    const watched = phrases.filter(({ side }) => side !== "assistant");
    const found = said[code].harmless.filter((text) => rings(watched, text));

    expect(found).toEqual(ringing[code][kind]);
  }
});

test("'not even scared' doesn't ring", () => {
  const all = listsIn("en").flatMap(({ phrases }) => phrases);

  expect(all.filter(({ words }) => isSaid(words, "I'm not even scared."))).toEqual([]);
  expect(all.filter(({ words }) => isSaid(words, "I'm not scared to go home in the dark."))).toEqual([]);
});

// Words can't find more without ringing for a game. An AI reader understands what is meant.
test("of 20 worrying sentences each in English, at least this many ring", () => {
  const found = listsIn("en").map(
    ({ kind, phrases }) => en.worrying[kind].filter((text) => rings(phrases, text)).length,
  );

  expect(found).toEqual([12, 11, 7]);
});

const others = ["de", "fr", "es", "it", "nl"] as const;

test.each(others)("at least 12 worrying sentences in %s for each list ring", (code) => {
  for (const { kind, phrases } of listsIn(code)) {
    const texts = said[code].worrying[kind];
    const missed = texts.filter((text) => !rings(phrases, text));

    expect(texts.length).toBeGreaterThanOrEqual(12);
    expect(missed).toEqual([]);
  }
});

test.each(others)("each phrase in %s rings for a worrying sentence", (code) => {
  for (const { kind, phrases } of listsIn(code)) {
    const texts = said[code].worrying[kind];
    const unused = phrases.filter((phrase) => !texts.some((text) => rings([phrase], text)));

    expect(unused).toEqual([]);
  }
});

function listsIn(code: Language): { kind: Kind; phrases: readonly Phrase[] }[] {
  const kinds = ["hurting", "scared", "secret"] as const;
  return startingLists(code).flatMap(({ phrases }, index) => {
    const kind = kinds[index];
    return kind === undefined ? [] : [{ kind, phrases }];
  });
}

function rings(phrases: readonly Phrase[], text: string): boolean {
  return phrases.some(({ words }) => isSaid(words, text));
}

test.each([
  ["I want to die", "self_harm"],
  [" i hate MYSELF", "self_harm"],
  ["Papa schlägt mich", "scared"],
  ["our secret", null],
  ["sharks", null],
])("what a guardian can do about %j is about %s", (words, topic) => {
  expect(helpTopicOf({ words, side: "either" })).toBe(topic);
});

test("every language has three lists, of which the last watches the assistant, too", () => {
  const sides = codes.map((code) =>
    startingLists(code).map(({ phrases }) => [...new Set(phrases.map(({ side }) => side))]),
  );

  for (const each of sides) expect(each).toEqual([["child"], ["child"], ["either", "assistant"]]);
});
