/**
 * What may be blocked: the rules of the specification's sections 5 and 9. The server has the same ones in Rust; both run
 * `tests/blocked-topics-cases.json`.
 */

/** Always blocked, for everybody; never among a child's own topics, and never sent. */
export const mandatoryTopics: readonly string[] = [
  "Sexual Exploitation and Explicit Content Involving Minors",
  "Sexually Explicit or Suggestive Content",
  "Promotion of Illegal Activities",
  "Manipulative or Deceptive Techniques",
  "Exploitation of Vulnerabilities",
  "Violence, Hate, and Harassment",
  "Privacy and Unauthorized Surveillance",
];

/** Examples to offer. */
export const suggestedTopics: readonly string[] = [
  "Detailed Sex Education and Reproductive Biology",
  "Evolution and Origin-of-Life Theories",
  "Gender Identity, Sexual Orientation, and LGBTQ+ Issues",
  "Political Ideologies and Partisan Politics",
  "Controversial or Graphic Historical Narratives",
  "Ethical and Philosophical Dilemmas",
  "Graphic Violence and Disturbing Imagery",
  "Substance Abuse and Addiction",
  "In-Depth Mental Health Topics and Self-Harm",
  "Religious and Spiritual Debates",
  "Romantic Relationships and Nuanced Social/Interpersonal Dynamics",
  "Contemporary Cultural Criticism and Media Debates",
];

/** Single words that would block nearly everything. */
export const tooGeneral: readonly string[] = ["the", "a", "is", "and", "or", "it", "to", "in", "on"];

/** In characters, as `lengthOf` counts them. */
export const SHORTEST = 3;
export const LONGEST = 200;
/** How many topics of their own a child's guardians block at most. */
export const MOST = 500;

/** Why a change is not made, and for how long that is said. */
export interface Refusal {
  sentence: string;
  seconds: number;
}

/** Unicode scalar values after composing them, so that an accent counts the same however it was typed. */
export function lengthOf(text: string): number {
  return Array.from(text.normalize("NFC")).length;
}

/** The text as it is compared when case doesn't matter. */
export function caseless(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

const mandatoryCaseless: ReadonlySet<string> = new Set(mandatoryTopics.map(caseless));

export function isMandatory(topic: string): boolean {
  return mandatoryCaseless.has(caseless(topic));
}

export function isAmong(topics: readonly string[], topic: string): boolean {
  const wanted = caseless(topic);
  return topics.some((other) => caseless(other) === wanted);
}

/** Why a topic, trimmed and not empty, can't be added to these; null if it can. The order of the checks is the product's. */
export function refusalToAdd(topic: string, own: readonly string[]): Refusal | null {
  if (isMandatory(topic))
    return { sentence: `"${topic}" is always blocked and cannot be added manually.`, seconds: 4 };
  if (isAmong(own, topic)) return { sentence: `"${topic}" is already in your blocked list.`, seconds: 3 };
  const length = lengthOf(topic);
  if (length < SHORTEST) return { sentence: `"${topic}" is too short.`, seconds: 3 };
  if (tooGeneral.includes(caseless(topic))) return { sentence: `"${topic}" is too general.`, seconds: 3 };
  if (length > LONGEST) return { sentence: `A topic can have at most ${LONGEST} characters.`, seconds: 3 };
  if (own.length >= MOST) return { sentence: `At most ${MOST} topics can be blocked.`, seconds: 3 };
  return null;
}

/** Why a topic can't be removed; null if it can. */
export function refusalToRemove(topic: string): Refusal | null {
  if (!isMandatory(topic)) return null;
  return { sentence: `"${topic}" is always blocked and cannot be removed.`, seconds: 4 };
}

/** The examples that are not blocked already. */
export function suggestionsBeside(own: readonly string[]): string[] {
  const blocked = new Set(own.map(caseless));
  return suggestedTopics.filter((topic) => !blocked.has(caseless(topic)));
}
