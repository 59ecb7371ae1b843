/** The text of each assistant's receipt for the list of blocked topics. */
import { useGetReceipts } from "../api/generated/client/rules/rules";
import type { components } from "../api/generated/schema";
import { sameDay, shortDate, shortDateAndTime, shortTime, timeOfDay } from "../format/dates";
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
  return { status: "Needs attention", details, needsAttention: true, isProved: false };
}

export function reportOf(assistant: AssistantReceipt, now: Date): Report {
  const { since, list_of: listOf, heard_at: heardAt } = assistant;
  const follows = (status: string, isProved: boolean): Report => ({
    status,
    details: since === undefined ? "" : `since ${shortTime(since, now)}`,
    needsAttention: false,
    isProved,
  });
  const standing = standingOf(assistant);
  switch (standing) {
    case "refused": {
      const reason = plainText(assistant.reason ?? "").trim();
      return attention(`couldn't take your list${reason === "" ? "" : `: ${reason}`}`);
    }
    case "asked":
      return attention("got your list, hasn't said it uses it");
    case "silent":
      return attention("doesn't have it yet");
    case "older": {
      const list = listOf === undefined ? "an earlier list" : `the list of ${listWords(listOf, now)}`;
      const heard = heardAt === undefined ? "" : `, ${lastSeenText(heardAt, now)}`;
      return {
        status: "Gets the change when it next connects",
        details: `last used ${list}${heard}`,
        needsAttention: false,
        isProved: false,
      };
    }
    case "word":
      return follows("Says it follows this list", false);
    case "in_prompt":
      return follows("List found in the AI's prompt", true);
    case "added":
      return follows("Added by Porchlight", true);
  }
}

/** What a parent has to look at about an assistant's list. */
export interface Attention {
  kind: "refused" | "asked" | "silent";
  /** Within a sentence, after the list's name. */
  details: string;
}

/**
 * Null if there is nothing to look at, or if another assistant has its name. One that was never heard isn't set up yet, so it
 * can't have the list.
 */
export function attentionOf(
  name: string,
  isHeard: boolean,
  receipts: readonly AssistantReceipt[],
  now: Date,
): Attention | null {
  const named = receipts.filter((receipt) => receipt.name === name);
  const [receipt] = named;
  if (receipt === undefined || named.length > 1) return null;
  const { kind } = receipt;
  if (kind === "following" || kind === "older" || (kind === "silent" && !isHeard)) return null;
  return { kind, details: reportOf(receipt, now).details };
}

/** Names a list by its date, or by its time if it is from today. */
function listWords(listOf: string, now: Date): string {
  return sameDay(listOf, now.toISOString()) ? timeOfDay(listOf) : shortDate(listOf, now);
}

function lastSeenText(heardAt: string, now: Date): string {
  return sameDay(heardAt, now.toISOString())
    ? `at ${timeOfDay(heardAt)}`
    : `on ${shortDateAndTime(heardAt, now)}`;
}
