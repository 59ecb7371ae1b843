/** The text about the list of blocked topics that a session ran under, from the assistant's receipts. */
import { t } from "@lingui/core/macro";

import { useListSessionReceipts } from "../api/generated/client/rules/rules";
import type { components } from "../api/generated/schema";
import { sameDay, shortDate, shortDateAndTime, timeOfDay } from "../format/dates";
import { plainText } from "../format/plain-text";
import { askedForList, followsWords, refusedList } from "../rules/receipts";

type SessionReceipts = components["schemas"]["SessionReceipts"];
type Receipt = SessionReceipts["items"][number];

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
  return error === null ? undefined : { name: "", words: t`Which list was followed could not be loaded` };
}

/** A part of a session under one list. */
interface ListPart {
  kind: "reported" | "refused" | "asked";
  /** When the list was created; undefined for the one before the first change. */
  list: string | undefined;
  /** The start of this part. */
  at: string;
  reason: string;
  /** What proves best that the list was in force, by version. */
  proofs: Map<number, Proof>;
}

/** The weakest first. */
const PROOFS = ["word", "in_prompt", "added"] as const;
type Proof = (typeof PROOFS)[number];

function proofOf(evidence: Receipt["evidence"]): Proof {
  return evidence === "added" || evidence === "in_prompt" ? evidence : "word";
}

export function receiptLine({ assistant = "", items }: SessionReceipts, now: Date): ReceiptLine {
  const name = plainText(assistant).trim() || t`The assistant`;
  const parts = partsOf(items);
  const [first] = parts;
  if (first === undefined) return { name, words: t`did not say which list it followed` };
  const nameOfList = namesOfLists(parts, now);
  let words = wordsOf(first, nameOfList(first.list));
  for (const part of parts.slice(1)) {
    const time = sameDay(part.at, first.at) ? timeOfDay(part.at) : shortDateAndTime(part.at, now);
    const earlier = words;
    words = t`${earlier}; ${time}: ${{ report: wordsOf(part, nameOfList(part.list)) }}`;
  }
  return { name, words };
}

/** Merges consecutive receipts, oldest first, about the same list. */
function partsOf(receipts: readonly Receipt[]): ListPart[] {
  const parts: ListPart[] = [];
  for (const { number, evidence, at, refused, topics_since: list } of receipts) {
    const kind = refused !== undefined ? "refused" : evidence === "fetched" ? "asked" : "reported";
    const last = parts.at(-1);
    const proofs = new Map([[number, proofOf(evidence)]]);
    if (last === undefined || last.list !== list) {
      parts.push({ kind, list, at, reason: refused ?? "", proofs });
    } else if (last.kind === "asked") {
      Object.assign(last, { kind, at, reason: refused ?? "", proofs });
    } else if (last.kind === kind) {
      const known = last.proofs.get(number) ?? "word";
      last.proofs.set(number, stronger(known, proofOf(evidence)));
    } else if (kind !== "asked") {
      parts.push({ kind, list, at, reason: refused ?? "", proofs });
    }
  }
  return parts;
}

function stronger(one: Proof, other: Proof): Proof {
  return PROOFS.indexOf(one) > PROOFS.indexOf(other) ? one : other;
}

/** The proof that holds for all of the part's versions. */
function proofOfAll({ proofs }: ListPart): Proof {
  const found = new Set(proofs.values());
  return PROOFS.find((proof) => found.has(proof)) ?? "word";
}

/** After the assistant's name or a time: what it reported, and of which list. */
function wordsOf(part: ListPart, list: string): string {
  return `${reportWords(part)} · ${list}`;
}

function reportWords(part: ListPart): string {
  switch (part.kind) {
    case "reported":
      return followsWords(proofOfAll(part));
    case "refused":
      return refusedList(plainText(part.reason).trim());
    case "asked":
      return askedForList();
  }
}

/** Names lists by their date, and by their time if two have the same date. */
function namesOfLists(parts: readonly ListPart[], now: Date): (list: string | undefined) => string {
  const lists = [...new Set(parts.map(({ list }) => list))];
  return (list) => {
    if (list === undefined) return t`the first list`;
    const isTwin = lists.some((other) => other !== undefined && other !== list && sameDay(other, list));
    return t`the list of ${{ date: isTwin ? shortDateAndTime(list, now) : shortDate(list, now) }}`;
  };
}
