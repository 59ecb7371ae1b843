/** The text of each assistant's receipt for the list of blocked topics. */
import { t } from "@lingui/core/macro";

import { useGetReceipts } from "../api/generated/client/rules/rules";
import type { components } from "../api/generated/schema";
import { sameDay, shortDate, shortTime, timeOfDay } from "../format/dates";
import { labelled } from "../format/labelled";
import { plainText } from "../format/plain-text";

type Receipts = components["schemas"]["Receipts"];
export type AssistantReceipt = Receipts["assistants"][number];

export function useReceipts(childId: number) {
  // Refetched when the page is opened or becomes visible: an assistant may have reported meanwhile.
  return useGetReceipts(childId, { query: { staleTime: 0 } });
}

/** The order of the lines: the most urgent first, then by strength of evidence. */
const ORDER = ["refused", "asked", "silent", "older", "word", "in_prompt", "added"] as const;

type Standing = (typeof ORDER)[number];

function standingOf({ kind, evidence }: AssistantReceipt): Standing {
  if (kind !== "following") return kind;
  return evidence === "added" || evidence === "in_prompt" ? evidence : "word";
}

/** Those that a parent has to look at come first. */
export function sorted(assistants: readonly AssistantReceipt[]): AssistantReceipt[] {
  return ORDER.flatMap((standing) => assistants.filter((each) => standingOf(each) === standing));
}

/** Whether Porchlight put the list into the assistant's prompt. */
export function isAdded(assistant: AssistantReceipt): boolean {
  return standingOf(assistant) === "added";
}

/** Whether the assistant found the list in the AI's prompt. */
export function isInPrompt(assistant: AssistantReceipt): boolean {
  return standingOf(assistant) === "in_prompt";
}

/** The texts after the assistant's name. */
export interface Report {
  status: string;
  /** Empty if there is nothing more to say. */
  details: string;
  needsAttention: boolean;
  /** Whether the prompt's contents are proved. */
  isProved: boolean;
}

function attention(details: string): Report {
  return { status: t`Needs attention`, details, needsAttention: true, isProved: false };
}

export function reportOf(assistant: AssistantReceipt, now: Date): Report {
  const { since } = assistant;
  const follows = (status: string, isProved: boolean): Report => ({
    status,
    details: since === undefined ? "" : t`since ${{ time: shortTime(since, now) }}`,
    needsAttention: false,
    isProved,
  });
  const standing = standingOf(assistant);
  switch (standing) {
    case "refused":
      return attention(refusedList(reasonOf(assistant)));
    case "asked":
      return attention(askedForList());
    case "silent":
      return attention(t`doesn't have it yet`);
    case "older":
      return {
        status: t`Gets the change when it next connects`,
        details: lastUsed(assistant, now),
        needsAttention: false,
        isProved: false,
      };
    case "word":
      return follows(followsWords(standing), false);
    case "in_prompt":
    case "added":
      return follows(followsWords(standing), true);
  }
}

/** Of an assistant that follows the list, by what proves it. */
export function followsWords(proof: "word" | "in_prompt" | "added"): string {
  switch (proof) {
    case "word":
      return t`Says it follows this list`;
    case "in_prompt":
      return t`Uses your list`;
    case "added":
      return t`Added by Porchlight`;
  }
}

/** Follows the assistant's name. */
export function refusedList(reason: string): string {
  const refused = t`couldn't take your list`;
  return reason === "" ? refused : labelled(refused, reason);
}

/** Follows the assistant's name. */
export function askedForList(): string {
  return t`got your list, hasn't said it uses it`;
}

function reasonOf({ reason = "" }: AssistantReceipt): string {
  return plainText(reason).trim();
}

/** What a parent has to look at about an assistant's list. */
export interface Attention {
  kind: "refused" | "asked" | "silent";
  /** Why it was refused; empty if that isn't known. */
  reason: string;
}

/**
 * Null if there is nothing to look at, or if another assistant has its name. One that was never heard isn't set up yet, so it
 * can't have the list.
 */
export function attentionOf(
  name: string,
  isHeard: boolean,
  receipts: readonly AssistantReceipt[],
): Attention | null {
  const named = receipts.filter((receipt) => receipt.name === name);
  const [receipt] = named;
  if (receipt === undefined || named.length > 1) return null;
  const { kind } = receipt;
  if (kind === "following" || kind === "older" || (kind === "silent" && !isHeard)) return null;
  return { kind, reason: reasonOf(receipt) };
}

function lastUsed({ topics_since: listOf }: AssistantReceipt, now: Date): string {
  return listOf === undefined ? "" : t`last used the list of ${{ list: listWords(listOf, now) }}`;
}

/** Names a list by its date, or by its time if it is from today. */
function listWords(listOf: string, now: Date): string {
  return sameDay(listOf, now.toISOString()) ? timeOfDay(listOf) : shortDate(listOf, now);
}
