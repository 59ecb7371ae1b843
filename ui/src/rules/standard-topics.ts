/** The topics that Porchlight names. Assistants and the server read them in English; a guardian reads their names. */
import { type MessageDescriptor, i18n } from "@lingui/core";
import { msg } from "@lingui/core/macro";

type NamedTopic = readonly [topic: string, name: MessageDescriptor];

/** Always blocked, for every child; never part of a child's own list, and never sent. */
const mandatory: readonly NamedTopic[] = [
  [
    "Sexual Exploitation and Explicit Content Involving Minors",
    msg`Sexual Exploitation and Explicit Content Involving Minors`,
  ],
  ["Sexually Explicit or Suggestive Content", msg`Sexually Explicit or Suggestive Content`],
  ["Promotion of Illegal Activities", msg`Promotion of Illegal Activities`],
  ["Manipulative or Deceptive Techniques", msg`Manipulative or Deceptive Techniques`],
  ["Exploitation of Vulnerabilities", msg`Exploitation of Vulnerabilities`],
  ["Violence, Hate, and Harassment", msg`Violence, Hate, and Harassment`],
  ["Privacy and Unauthorized Surveillance", msg`Privacy and Unauthorized Surveillance`],
];

const suggested: readonly NamedTopic[] = [
  ["Detailed Sex Education and Reproductive Biology", msg`Detailed Sex Education and Reproductive Biology`],
  ["Evolution and Origin-of-Life Theories", msg`Evolution and Origin-of-Life Theories`],
  [
    "Gender Identity, Sexual Orientation, and LGBTQ+ Issues",
    msg`Gender Identity, Sexual Orientation, and LGBTQ+ Issues`,
  ],
  ["Political Ideologies and Partisan Politics", msg`Political Ideologies and Partisan Politics`],
  ["Controversial or Graphic Historical Narratives", msg`Controversial or Graphic Historical Narratives`],
  ["Ethical and Philosophical Dilemmas", msg`Ethical and Philosophical Dilemmas`],
  ["Graphic Violence and Disturbing Imagery", msg`Graphic Violence and Disturbing Imagery`],
  ["Substance Abuse and Addiction", msg`Substance Abuse and Addiction`],
  ["In-Depth Mental Health Topics and Self-Harm", msg`In-Depth Mental Health Topics and Self-Harm`],
  ["Religious and Spiritual Debates", msg`Religious and Spiritual Debates`],
  [
    "Romantic Relationships and Nuanced Social/Interpersonal Dynamics",
    msg`Romantic Relationships and Nuanced Social/Interpersonal Dynamics`,
  ],
  [
    "Contemporary Cultural Criticism and Media Debates",
    msg`Contemporary Cultural Criticism and Media Debates`,
  ],
];

export const mandatoryTopics: readonly string[] = mandatory.map(([topic]) => topic);

export const suggestedTopics: readonly string[] = suggested.map(([topic]) => topic);

const names: ReadonlyMap<string, MessageDescriptor> = new Map([...mandatory, ...suggested]);

/** A topic in the page's language. Those that a guardian typed stay as they are. */
export function topicName(topic: string): string {
  const name = names.get(topic);
  return name === undefined ? topic : i18n._(name);
}
