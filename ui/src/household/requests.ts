/** The texts of pending requests about the guardian's children. */
import type { components } from "../api/generated/schema";
import { authorName } from "../children/author";
import type { ChildRequest } from "../children/child-request";
import type { Child } from "../children/children";
import { shortDate } from "../format/dates";
import { joinNames } from "../format/names";
import { plainText } from "../format/plain-text";
import { WAITS } from "../children/child-request";

type Schemas = components["schemas"];
export type Invitation = Schemas["Invitation"];
export type ReaderRequest = Schemas["ReviewerRequest"];

/** Whether another guardian's invitation waits for this guardian's answer. */
export function waitsForAnswer({ by, email, accepted, answers }: Invitation): boolean {
  const isKnown = accepted || email !== undefined;
  return isKnown && by?.is_you !== true && !answers.confirmed;
}

export function nameOf(childId: number, children: readonly Child[]): string {
  return children.find(({ child_id: id }) => id === childId)?.name ?? "a child";
}

function author(by: Schemas["Author"] | undefined): string {
  return authorName(by ?? { is_you: false });
}

export function readerSentence({ by }: ReaderRequest, name: string): string {
  return `${author(by)} wants an AI reader to read ${name}'s conversations. Nothing is sent yet.`;
}

/** Whose profile is deleted, and when. The first part may be truncated. */
export function erasureLine({ answers }: ChildRequest, name: string, now: Date): readonly [string, string] {
  const whose = `${name}'s profile`;
  if (answers.due_at === undefined) return [whose, "may be deleted"];
  if (new Date(answers.due_at) <= now) return [whose, "is about to be deleted"];
  return [whose, `is deleted on ${shortDate(answers.due_at, now)}`];
}

export function invitationSentence(invitation: Invitation, children: readonly Child[], now: Date): string {
  const { by, email, accepted, answers } = invitation;
  const names = joinNames(invitation.children.map((id) => nameOf(id, children)));
  const asked = `${author(by)} invited ${email ?? "somebody"} to see the data of ${names}.`;
  if (!accepted) return `${asked} Nobody has accepted yet.`;
  const state = `${whoAccepted(invitation)} has accepted.`;
  if (answers.due_at === undefined) return `${asked} ${state} ${WAITS}`;
  if (new Date(answers.due_at) <= now) return `${asked} ${state}`;
  return `${asked} ${state} It takes effect on ${shortDate(answers.due_at, now)}, unless a guardian stops it.`;
}

/** The name and address of the guardian who accepted, for the confirmation. */
function whoAccepted({ accepted_by: name = "", accepted_address: address }: Invitation): string {
  const whom = plainText(name).trim() || "Somebody";
  if (address === undefined) return whom;
  return `${whom} (${address.email}${address.verified ? "" : ", not verified"})`;
}
