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

/** The text after the assistant's name. */
export function reportOf(assistant: AssistantReceipt, now: Date): string {
  const { kind, evidence, since, list_of: listOf, heard_at: heardAt } = assistant;
  switch (kind) {
    case "following": {
      const from = since === undefined ? "" : ` since ${shortTime(since, now)}`;
      return evidence === "added" ? `has had this list in its prompt${from}` : `has used this list${from}`;
    }
    case "older": {
      const list = listOf === undefined ? "an earlier list" : `the list of ${listWords(listOf, now)}`;
      const heard = heardAt === undefined ? "" : `, ${lastSeenText(heardAt, now)}`;
      return `last used ${list}${heard}`;
    }
    case "refused": {
      const reason = plainText(assistant.reason ?? "").trim();
      return `doesn't follow this list${reason === "" ? "" : `: ${reason}`}`;
    }
    case "asked":
      return "asked for the list, never confirmed using it";
    case "silent":
      return "has never connected";
  }
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
