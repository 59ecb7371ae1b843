/** The text about the list of blocked topics that a session ran under, from the assistant's receipts. */
import { useListSessionReceipts } from "../api/generated/client/rules/rules";
import type { components } from "../api/generated/schema";
import { sameDay, shortDate, shortDateAndTime, timeOfDay } from "../format/dates";
import { plainText } from "../format/plain-text";

type SessionReceipts = components["schemas"]["SessionReceipts"];
type Receipt = SessionReceipts["receipts"][number];

/** The line under a transcript's title: the assistant's name, and what it reported. */
export interface ReceiptLine {
  name: string;
  words: string;
}

/** The maximum page size. Further receipts are ignored. */
const MOST_RECEIPTS = 500;

/** Undefined while it loads. */
export function useReceiptLine(sessionId: number): ReceiptLine | undefined {
  const { data, error } = useListSessionReceipts(sessionId, { limit: MOST_RECEIPTS });
  if (data !== undefined) return receiptLine(data.data, new Date());
  return error === null ? undefined : { name: "", words: "Which list was followed could not be loaded" };
}

/** A part of a session under one list. */
interface Part {
  kind: "reported" | "refused" | "asked";
  /** When the list was created; undefined for the one before the first change. */
  list: string | undefined;
  /** The start of this part. */
  at: string;
  reason: string;
  /** Whether the list was read back from the prompt, by version. */
  readBack: Map<number, boolean>;
}

export function receiptLine({ assistant = "", receipts }: SessionReceipts, now: Date): ReceiptLine {
  const name = plainText(assistant).trim() || "The assistant";
  const parts = partsOf(receipts);
  const [first] = parts;
  if (first === undefined) return { name, words: "did not say which list it followed" };
  const listWords = namesOfLists(parts, now);
  const words = parts.map((part, index) => {
    const before = parts[index - 1];
    const phrase = phraseOf(part, before, listWords(part.list));
    if (before === undefined) return phrase;
    const time = sameDay(part.at, first.at) ? timeOfDay(part.at) : shortDateAndTime(part.at, now);
    return ` and ${part.kind === "asked" ? "at" : "from"} ${time} ${phrase}`;
  });
  return { name, words: words.join(",") };
}

/** Merges consecutive receipts, oldest first, about the same list. */
function partsOf(receipts: readonly Receipt[]): Part[] {
  const parts: Part[] = [];
  for (const { number, evidence, at, refused, list_of: list } of receipts) {
    const kind = refused !== undefined ? "refused" : evidence === "fetched" ? "asked" : "reported";
    const last = parts.at(-1);
    const readBack: [number, boolean] = [number, evidence === "in_prompt"];
    if (last === undefined || last.list !== list) {
      parts.push({ kind, list, at, reason: refused ?? "", readBack: new Map([readBack]) });
    } else if (last.kind === "asked") {
      Object.assign(last, { kind, at, reason: refused ?? "", readBack: new Map([readBack]) });
    } else if (last.kind === kind) {
      last.readBack.set(number, last.readBack.get(number) === true || readBack[1]);
    } else if (kind !== "asked") {
      parts.push({ kind, list, at, reason: refused ?? "", readBack: new Map([readBack]) });
    }
  }
  return parts;
}

function phraseOf({ kind, reason, readBack }: Part, before: Part | undefined, list: string): string {
  switch (kind) {
    case "reported": {
      const verb = before?.kind === "reported" ? "" : "reports ";
      const mark = [...readBack.values()].every(Boolean) ? ", found in the AI's prompt" : "";
      return `${verb}${list}${mark}`;
    }
    case "refused": {
      const words = plainText(reason).trim();
      return `refused ${before === undefined ? "the list" : list}${words === "" ? "" : `: ${words}`}`;
    }
    case "asked":
      return `asked for ${list} without confirming it`;
  }
}

/** Names lists by their date, and by their time if two have the same date. */
function namesOfLists(parts: readonly Part[], now: Date): (list: string | undefined) => string {
  const lists = [...new Set(parts.map(({ list }) => list))];
  return (list) => {
    if (list === undefined) return "the first list";
    const isTwin = lists.some((other) => other !== undefined && other !== list && sameDay(other, list));
    return `the list of ${isTwin ? shortDateAndTime(list, now) : shortDate(list, now)}`;
  };
}
