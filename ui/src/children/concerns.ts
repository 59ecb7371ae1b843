/** What a model that reads along can point at, in words within a sentence. */
import type { components } from "../api/generated/schema";

export type Concern = components["schemas"]["Concern"];

export const concernNames: Readonly<Record<Concern, string>> = {
  self_harm: "self-harm",
  hurt: "being hurt or threatened",
  hurt_at_home: "being hurt or threatened at home",
  sexual_content: "sexual content",
  stranger: "a stranger who wants contact or secrets",
  danger: "dangerous acts and substances",
  eating_and_body: "eating and body",
  blocked_topic: "a blocked topic",
  assistant: "how the assistant behaves",
};

/** Of these each alert is told: a guardian can find a single one not worrying, not all of them. */
const alwaysTold: ReadonlySet<Concern> = new Set([
  "self_harm",
  "hurt",
  "hurt_at_home",
  "sexual_content",
  "stranger",
]);

export function isAlwaysTold(concern: Concern): boolean {
  return alwaysTold.has(concern);
}
