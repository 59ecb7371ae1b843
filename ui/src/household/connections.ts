/** The sentences about an assistant's connection. */
import { type MessageDescriptor, i18n } from "@lingui/core";
import { msg, plural, t } from "@lingui/core/macro";

import { countedGuardians } from "./guardians";
import type { components } from "../api/generated/schema";
import { capitalized, relativeWords } from "../format/dates";
import { joinNames } from "../format/names";
import { plainText } from "../format/plain-text";

type Schemas = components["schemas"];

export type Connection = Schemas["Connection"];
type Refusal = Schemas["ConnectionRefusal"];
type Check = Schemas["ConnectionCheck"];

/** The clause about a refusal of an assistant's request. It ends a sentence. */
const refusals: Record<Refusal, MessageDescriptor> = {
  child: msg`it named a child that this key doesn't cover. Check the child's number in its settings.`,
  child_missing: msg`this key is for several children, and it didn't say who is talking.`,
  host: msg`it called Porchlight by a name that this server doesn't answer to. Give it the address shown here.`,
  server_clock: msg`this server's clock is wrong. The person who set up this server can check it.`,
  assistant_clock: msg`its clock is wrong.`,
  reused_id: msg`it can't be read.`,
  malformed: msg`it can't be read.`,
  limit: msg`it sent more than its key may send for now.`,
  model_name: msg`there is no model of the name that it asked for. Check the model's name in the app.`,
  model: msg`its model doesn't answer. The person who set up this server can check it.`,
};

export const checks: readonly { check: Check; label: MessageDescriptor }[] = [
  { check: "times", label: msg`Messages have their own times` },
  { check: "repeated_ids", label: msg`A message sent again has the same id` },
  { check: "correction", label: msg`A message was corrected` },
  { check: "completion", label: msg`A conversation was completed` },
  { check: "receipt", label: msg`It reported the rules it uses` },
];

/** What is wrong with the latest request; null if it was accepted. */
export function problemOf({ heard_at: heardAt, refused, refused_at: refusedAt }: Connection): string | null {
  if (refused === undefined || refusedAt === undefined) return null;
  const isOver = heardAt !== undefined && Date.parse(heardAt) > Date.parse(refusedAt);
  return isOver ? null : i18n._(refusals[refused]);
}

/** "Open WebUI sent 2 settings that Porchlight doesn't pass on."; null if it sent none. */
export function droppedSettings(name: string, { settings_dropped: dropped }: Connection): string | null {
  if (dropped === undefined) return null;
  return plural(dropped, {
    one: `${name} sent # setting that Porchlight doesn't pass on.`,
    other: `${name} sent # settings that Porchlight doesn't pass on.`,
  });
}

/** "last seen 2 minutes ago"; the time for what is longer ago than an hour. */
export function seenAgo(heardAt: string | undefined, now: Date, dateOf: (value: string) => string): string {
  if (heardAt === undefined) return t`not heard yet`;
  const minutes = Math.floor((now.getTime() - Date.parse(heardAt)) / 60_000);
  if (minutes < 60) return t`last seen ${{ time: ago(minutes) }}`;
  return t`last seen ${{ time: dateOf(heardAt) }}`;
}

/** "Robin will read what is said here, too."; null if these children have no other guardians. */
export function whoReads(
  chosen: readonly number[],
  all: readonly Schemas["GuardiansOfChild"][],
): string | null {
  const others = all
    .filter(({ child_id: id }) => chosen.includes(id))
    .map(({ guardians }) => guardians.filter(({ is_you: isYou }) => !isYou));
  const named = (of: (typeof others)[number]) => of.flatMap(({ name }) => plainText(name ?? "").trim() || []);
  const names = [...new Set(others.flatMap(named))];
  // Guardians without names can't be compared between children.
  const nameless = Math.max(0, ...others.map((of) => of.length - named(of).length));
  const count = names.length + nameless;
  if (count === 0) return null;
  const everybody = capitalized(joinNames(nameless === 0 ? names : [...names, countedGuardians(nameless)]));
  return plural(count, {
    one: `${everybody} will read what is said here, too.`,
    other: `${everybody} will read what is said here, too.`,
  });
}

/** 'now', '2 minutes ago' */
function ago(minutes: number): string {
  return minutes < 1 ? relativeWords(0, "second") : relativeWords(-minutes, "minute");
}

/** A step's words and, in backticks, its lines of code. */
export function partsOf(step: string): { text: string; isCode: boolean }[] {
  return step
    .split("`")
    .map((text, index) => ({ text, isCode: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}
