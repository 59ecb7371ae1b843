import { plainText } from "./plain-text";

/** The voice assistant's label. */
export const ASSISTANT = "assistant";
/** The label of the child whose conversation it is. */
const CHILD = "child";

/** The label of a message's speaker; 'unknown' when there is none. */
export function speakerOf(source = ""): string {
  const label = plainText(source);
  return label.trim() === "" ? "unknown" : label;
}

/** The child's name, the assistant's if it is given, or the label of another speaker. */
export function speakerName(speaker: string, childName: string, assistant = ""): string {
  if (speaker === CHILD) return childName;
  const name = speaker === ASSISTANT ? plainText(assistant).trim() : "";
  return name === "" ? speaker : name;
}

/** Capitalises labels, but not the child's name. */
export function speakerClass(speaker: string): string {
  return speaker === CHILD ? "" : "first-letter:uppercase";
}
