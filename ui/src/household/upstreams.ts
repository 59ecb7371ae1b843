/** The models' servers that an assistant can use, and what a parent pastes into its app. */
import { t } from "@lingui/core/macro";

import type { OwnAssistant } from "./queries";
import type { components } from "../api/generated/schema";
import type { Child } from "../children/children";

type Schemas = components["schemas"];

export type Upstream = Schemas["Upstream"];

/** Of an app whose key has no model's server. */
export function noServer(): string {
  return t`It gets no answer: no model's server is chosen.`;
}

/** Shown before an assistant gets this server. */
export function whatGoesTo(host: string): string {
  return t`Conversations are sent to ${host}, with your rules and what you wrote about your child.`;
}

/** What to paste as the model's name for one child. */
export interface ModelName {
  /** The child's name; empty if the assistant talks with one child. */
  child: string;
  /** Null if nothing is known of it. */
  text: string | null;
}

/** The names to paste, one per child. If `model` is null, because the server doesn't say which it has, they are only suffixes. */
export function modelNames(
  { upstream }: OwnAssistant,
  siblings: readonly Child[],
  model: string | null,
): ModelName[] {
  const suffixes = upstream?.suffixes ?? [];
  if (suffixes.length === 0) return [{ child: "", text: model }];
  return suffixes.map(({ child_id: id, suffix }) => ({
    child: siblings.find(({ child_id: other }) => other === id)?.name ?? "",
    text: `${model ?? ""}${suffix}`,
  }));
}
