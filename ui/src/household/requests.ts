/** The texts of pending requests about the guardian's children. */
import { t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";
import { authorName } from "../children/author";
import type { ChildRequest } from "../children/child-request";
import type { Child } from "../children/children";
import { shortDate } from "../format/dates";
import { joinNames } from "../format/names";
import { plainText } from "../format/plain-text";
import { takesEffect, waits } from "../children/child-request";

type Schemas = components["schemas"];
export type Invitation = Schemas["Invitation"];
export type ReaderRequest = Schemas["ReviewerRequest"];

/** Of a request that names no author. */
const SOMEBODY: Schemas["Author"] = { is_you: false };

/** Whether another guardian's invitation waits for this guardian's answer. */
export function waitsForAnswer({ by, email, accepted, answers }: Invitation): boolean {
  const isKnown = accepted || email !== undefined;
  return isKnown && by?.is_you !== true && !answers.confirmed;
}

export function nameOf(childId: number, children: readonly Child[]): string {
  return children.find(({ child_id: id }) => id === childId)?.name ?? t`a child`;
}

export function readerSentence({ by = SOMEBODY }: ReaderRequest, name: string): string {
  return t`${{ author: authorName(by) }} wants an AI reader to read ${name}'s conversations. Nothing is sent yet.`;
}

/** Whose profile is deleted, and when: the subject and the rest of a sentence. The first part may be truncated. */
export function erasureLine({ answers }: ChildRequest, name: string, now: Date): readonly [string, string] {
  const whose = t`${name}'s profile`;
  if (answers.due_at === undefined) return [whose, t`may be deleted`];
  return [whose, t`is deleted on ${{ date: shortDate(answers.due_at, now) }}`];
}

export function invitationSentence(invitation: Invitation, children: readonly Child[], now: Date): string {
  const { accepted, answers } = invitation;
  const asked = invitedSentence(invitation, joinNames(invitation.children.map((id) => nameOf(id, children))));
  if (!accepted) return `${asked} ${t`Nobody has accepted yet.`}`;
  const state = acceptedSentence(invitation);
  if (answers.due_at === undefined) return `${asked} ${state} ${waits()}`;
  if (new Date(answers.due_at) <= now) return `${asked} ${state}`;
  return `${asked} ${state} ${takesEffect(answers.due_at, now)}`;
}

function invitedSentence({ by = SOMEBODY, email }: Invitation, names: string): string {
  const author = authorName(by);
  const invited = email ?? t({ message: "somebody", context: "after ‘invited’" });
  return by.is_you
    ? t`You invited ${{ email: invited }} to see the data of ${names}.`
    : t`${author} invited ${{ email: invited }} to see the data of ${names}.`;
}

/** With the name and address of the guardian who accepted, for the confirmation. */
function acceptedSentence({ accepted_by: given = "", accepted_address: address }: Invitation): string {
  const name = plainText(given).trim() || t`Somebody`;
  if (address === undefined) return t`${name} has accepted.`;
  const { email } = address;
  const known = address.verified ? email : t`${email}, not verified`;
  return t`${{ name: `${name} (${known})` }} has accepted.`;
}
