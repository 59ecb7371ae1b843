/** What a model that reads along can point at, in words within a sentence. */
import { t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";

export type Concern = components["schemas"]["Concern"];

/** Read when they are shown, because they are in the page's language. */
export const concernNames: Readonly<Record<Concern, string>> = {
  get self_harm() {
    return t`self-harm`;
  },
  get hurt() {
    return t`being hurt or threatened`;
  },
  get hurt_at_home() {
    return t`being hurt or threatened at home`;
  },
  get sexual_content() {
    return t`sexual content`;
  },
  get stranger() {
    return t`a stranger who wants contact or secrets`;
  },
  get danger() {
    return t`dangerous acts and substances`;
  },
  get eating_and_body() {
    return t`eating and body`;
  },
  get blocked_topic() {
    return t`a blocked topic`;
  },
  get assistant() {
    return t`how the assistant behaves`;
  },
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
