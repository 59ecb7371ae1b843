import { i18n } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";

import { plainText } from "./plain-text";

/** What a message is if it wasn't said in the conversation: the API's kinds. */
export type MessageKind = "earlier" | "background" | "instructions" | "reasoning" | "tool";

/** The voice assistant's label. */
export const ASSISTANT = "assistant";
/** The label of the child whose conversation it is. */
const CHILD = "child";

/** The label of a message's speaker; 'unknown' when there is none. */
export function speakerOf(source = ""): string {
  const label = plainText(source);
  return label.trim() === "" ? "unknown" : label;
}

/** Labels that have a word of their own. */
const names = new Map([
  [ASSISTANT, msg({ message: "assistant", context: "who speaks" })],
  ["unknown", msg({ message: "unknown", context: "who speaks" })],
  ["app", msg`The app`],
  ["tool", msg`A tool`],
]);

/** The child's name, the assistant's if it is given, or the label of another speaker. */
export function speakerName(speaker: string, childName: string, assistant = ""): string {
  if (speaker === CHILD) return childName;
  const name = speaker === ASSISTANT ? plainText(assistant).trim() : "";
  if (name !== "") return name;
  const known = names.get(speaker);
  return known === undefined ? speaker : i18n._(known);
}

/** The name above a message: the speaker, or what it is if it was not said in the conversation. */
export function messageName(
  { speaker, unsaid }: { speaker: string; unsaid?: MessageKind | undefined },
  childName: string,
  assistant?: string,
): string {
  switch (unsaid) {
    case undefined:
      return speakerName(speaker, childName, assistant);
    case "earlier":
      return t`${{ speaker: speakerName(speaker, childName, assistant) }}, earlier`;
    case "background":
      return t`Not said by anybody`;
    case "instructions":
      return t`Instructions sent with the request`;
    case "reasoning":
      return t`The AI's working notes`;
    case "tool":
      return t`What a tool answered`;
  }
}

/** Capitalises labels, but not the child's name. */
export function speakerClass(speaker: string): string {
  return speaker === CHILD ? "" : "first-letter:uppercase";
}
