/** What a child can talk to, and what is asked before it is connected. */
import { t } from "@lingui/core/macro";

import type { OwnAssistant, Plugin } from "./queries";
import type { components } from "../api/generated/schema";

type Household = components["schemas"]["Household"];

/** The parts of addresses. Those of plug-ins are the names of their stacks. */
export const slugs = {
  app: "app",
  homeAssistant: "home-assistant",
  toy: "xiaozhi",
  speaker: "speaker",
  nothing: "nothing",
  otherSoftware: "other",
} as const;

export type Source =
  /** An app that gets Porchlight's address instead of the AI's. */
  | { kind: "app" }
  | { kind: "home-assistant"; plugin: Plugin | undefined }
  | { kind: "toy"; plugin: Plugin | undefined }
  /** A home-made speaker whose software isn't chosen yet. */
  | { kind: "speaker" }
  /** A home-made speaker. If there is no plug-in for its software, the person who built it makes the calls. */
  | { kind: "software"; plugin: Plugin | undefined }
  | { kind: "nothing" };

/** Null if the address names none. */
export function sourceIn(slug: string | undefined, plugins: readonly Plugin[]): Source | null {
  const plugin = plugins.find(({ stack }) => stack === slug);
  switch (slug) {
    case undefined:
      return null;
    case slugs.app:
      return { kind: "app" };
    case slugs.homeAssistant:
      return { kind: "home-assistant", plugin };
    case slugs.toy:
      return { kind: "toy", plugin };
    case slugs.speaker:
      return { kind: "speaker" };
    case slugs.nothing:
      return { kind: "nothing" };
    case slugs.otherSoftware:
      return { kind: "software", plugin: undefined };
    default:
      return plugin === undefined ? null : { kind: "software", plugin };
  }
}

/** The plug-ins for home-made speakers: those without a tile of their own. */
export function speakerPlugins(plugins: readonly Plugin[]): Plugin[] {
  return plugins.filter(({ stack }) => stack !== slugs.homeAssistant && stack !== slugs.toy);
}

/** A plug-in's title without its versions, which stand in parentheses. */
export function shortTitle({ title }: Plugin): string {
  return title.replace(/\s*\(.*\)$/u, "");
}

/** The heading of each of its pages. */
export function headingOf(slug: string | undefined, question: string | undefined, childName: string): string {
  if (question === STEPS) return t`Three steps to connect it`;
  switch (slug) {
    case undefined:
      return t`What does ${childName} talk to?`;
    case slugs.app:
      return t`Open WebUI or another app`;
    case slugs.homeAssistant:
      return "Home Assistant";
    case slugs.toy:
      return t`A toy with xiaozhi`;
    case slugs.nothing:
      return t`Nothing yet`;
    default:
      return t`A home-made speaker`;
  }
}

/** In an address, in place of a question. */
export const STEPS = "steps";

/** What is asked before the key is made, one question a page. */
export type Question = "children" | "model" | "name";

/** The name comes last, because its page makes the key and says why that was refused. */
export function questionsAbout(
  source: Source,
  siblings: readonly unknown[],
  { upstreams }: Pick<Household, "upstreams">,
): readonly [Question, ...Question[]] {
  const asksForModel = source.kind === "app" && upstreams.length > 1;
  if (siblings.length > 1) return asksForModel ? ["children", "model", "name"] : ["children", "name"];
  return asksForModel ? ["model", "name"] : ["name"];
}

/** Whether an assistant that has a key already can be this. */
export function canBe({ kind }: Pick<OwnAssistant, "kind">, source: Source["kind"]): boolean {
  return source !== "nothing" && (source === "app") === (kind === "gateway");
}

/** Where the steps are done. */
export function whereSentence(source: Source): string {
  switch (source.kind) {
    case "app":
      return t`Do this on the computer or tablet with the app.`;
    case "home-assistant":
    case "toy":
    case "speaker":
    case "software":
    case "nothing":
      return t`Do this on the computer that runs the assistant.`;
  }
}
