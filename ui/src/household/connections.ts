/** The sentences about an assistant's connection. */
import type { components } from "../api/generated/schema";
import { joinNames } from "../format/names";
import { plainText } from "../format/plain-text";

type Schemas = components["schemas"];

export type Connection = Schemas["Connection"];
type Refusal = Schemas["ConnectionRefusal"];
type Check = Schemas["ConnectionCheck"];

/** The sentence about a refusal of an assistant's request. */
const refusals: Record<Refusal, string> = {
  child: "it named a child that this key doesn't cover. Check the child's number in its settings.",
  child_missing: "this key is for several children, and it didn't say who is talking.",
  host: "it called Porchlight by a name that this server doesn't answer to. Give it the address shown here.",
  server_clock: "this server's clock is wrong. The person who set up this server can check it.",
  assistant_clock: "its clock is wrong.",
  reused_id: "it used an id twice, for different texts.",
  malformed: "it can't be read.",
  limit: "it sent more than its key may send for now.",
  model_name: "there is no model of the name that it asked for. Check the model's name in the app.",
  model: "its model doesn't answer. The person who set up this server can check it.",
};

export const checks: readonly { check: Check; label: string }[] = [
  { check: "times", label: "Messages have their own times" },
  { check: "repeated_ids", label: "A message sent again has the same id" },
  { check: "correction", label: "A message was corrected" },
  { check: "completion", label: "A conversation was completed" },
  { check: "receipt", label: "It reported the rules it uses" },
];

/** What is wrong with the latest request; null if it was accepted. */
export function problemOf({ heard_at: heardAt, refused, refused_at: refusedAt }: Connection): string | null {
  if (refused === undefined || refusedAt === undefined) return null;
  const isOver = heardAt !== undefined && Date.parse(heardAt) > Date.parse(refusedAt);
  return isOver ? null : refusals[refused];
}

/** "Open WebUI sent 2 settings that Porchlight doesn't pass on."; null if it sent none. */
export function droppedSettings(name: string, { settings_dropped: dropped }: Connection): string | null {
  if (dropped === undefined) return null;
  return `${name} sent ${dropped === 1 ? "1 setting" : `${dropped} settings`} that Porchlight doesn't pass on.`;
}

/** "seen 2 minutes ago"; the date for what is longer ago than a day. */
export function seenAgo(heardAt: string, now: Date, dateOf: (value: string) => string): string {
  const minutes = Math.floor((now.getTime() - Date.parse(heardAt)) / 60_000);
  if (minutes < 1) return "seen just now";
  if (minutes < 60) return `seen ${minutes} ${minutes === 1 ? "minute" : "minutes"} ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `seen ${hours} ${hours === 1 ? "hour" : "hours"} ago`;
  return `last seen ${dateOf(heardAt)}`;
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
  if (nameless === 1) names.push("another guardian");
  if (nameless > 1) names.push(`${nameless} other guardians`);
  if (names.length === 0) return null;
  const sentence = `${joinNames(names)} will read what is said here, too.`;
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
}

/** A step's words and, in backticks, its lines of code. */
export function partsOf(step: string): { text: string; isCode: boolean }[] {
  return step
    .split("`")
    .map((text, index) => ({ text, isCode: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}
