import { plainText } from "../format/plain-text";

/** The name of who spoke: the assistant's and the child's instead of their labels. */
export function speakerOf(source: string | undefined, childName: string, assistant?: string): string {
  if (source === "child") return childName;
  if (source === "assistant") return plainText(assistant ?? "").trim() || "Assistant";
  return plainText(source ?? "").trim() || "Unknown";
}
