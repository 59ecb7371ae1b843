/**
 * What may be blocked: the rules of the specification's sections 5 and 9. The server has the same ones in Rust; both run
 * `tests/blocked-topics-cases.json`.
 */
import { lengthOf } from "../format/length";

/** Always blocked, for every child; never part of a child's own list, and never sent. */
export const mandatoryTopics: readonly string[] = [
  "Sexual Exploitation and Explicit Content Involving Minors",
  "Sexually Explicit or Suggestive Content",
  "Promotion of Illegal Activities",
  "Manipulative or Deceptive Techniques",
  "Exploitation of Vulnerabilities",
  "Violence, Hate, and Harassment",
  "Privacy and Unauthorized Surveillance",
];

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

/** Words that would block nearly everything. */
export const tooGeneral: readonly string[] = ["the", "a", "is", "and", "or", "it", "to", "in", "on"];

/** In characters, counted by `lengthOf`. */
export const MIN_LENGTH = 3;
export const MAX_LENGTH = 200;
/** The most topics of a child, without the mandatory ones. */
export const MAX_TOPICS = 500;

/** Why a change is not allowed, and how long the message is shown. */
export interface Refusal {
  sentence: string;
  seconds: number;
}

/** The text for comparisons that ignore case. */
export function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

const mandatoryFolded: ReadonlySet<string> = new Set(mandatoryTopics.map(foldCase));

export function isMandatory(topic: string): boolean {
  return mandatoryFolded.has(foldCase(topic));
}

export function isAmong(topics: readonly string[], topic: string): boolean {
  const wanted = foldCase(topic);
  return topics.some((other) => foldCase(other) === wanted);
}

/** Why a topic, trimmed and not empty, can't be added to these; null if it can. The order of the checks is the product's. */
export function refusalToAdd(topic: string, own: readonly string[]): Refusal | null {
  if (isMandatory(topic))
    return { sentence: `"${topic}" is always blocked and cannot be added manually.`, seconds: 4 };
  if (isAmong(own, topic)) return { sentence: `"${topic}" is already in your blocked list.`, seconds: 3 };
  const length = lengthOf(topic);
  if (length < MIN_LENGTH) return { sentence: `"${topic}" is too short.`, seconds: 3 };
  if (tooGeneral.includes(foldCase(topic))) return { sentence: `"${topic}" is too general.`, seconds: 3 };
  if (length > MAX_LENGTH)
    return { sentence: `A topic can have at most ${MAX_LENGTH} characters.`, seconds: 3 };
  if (own.length >= MAX_TOPICS)
    return { sentence: `At most ${MAX_TOPICS} topics can be blocked.`, seconds: 3 };
  return null;
}

/** Why a topic can't be removed; null if it can. */
export function refusalToRemove(topic: string): Refusal | null {
  if (!isMandatory(topic)) return null;
  return { sentence: `"${topic}" is always blocked and cannot be removed.`, seconds: 4 };
}

/** The suggestions that are not blocked yet. */
export function remainingSuggestions(own: readonly string[]): string[] {
  const blocked = new Set(own.map(foldCase));
  return suggestedTopics.filter((topic) => !blocked.has(foldCase(topic)));
}
