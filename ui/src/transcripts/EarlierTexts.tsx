import { t } from "@lingui/core/macro";

import type { MessageRow } from "./rows";
import { correctedSentence } from "../format/corrected";
import { plainText } from "../format/plain-text";
import { speakerName, speakerOf } from "../format/speaker";
import { labelled } from "../format/labelled";
import { Folded } from "../ui/Folded";

export function notHeardWords(): string {
  return t`not heard`;
}

/** What a message said before the assistant corrected it, oldest first. */
export function EarlierTexts({ row, childName }: { row: MessageRow; childName: string }) {
  return row.earlier.map((earlier, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- two corrections may have the same text and time
    <Folded key={index} summary={earlierWords(row, earlier)} isOpen={false}>
      <p dir="auto" className="pb-1 text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
        {earlierText(row, earlier, childName)}
      </p>
    </Folded>
  ));
}

/** Stands before an earlier text: what the child didn't hear of an answer that was interrupted is no correction. */
export function earlierWords(
  { interrupted, speaker, exact }: MessageRow,
  { source, text_content: text, until }: MessageRow["earlier"][number],
): string {
  const wasCutShort = interrupted && speaker === speakerOf(source) && text.startsWith(exact.trimEnd());
  return wasCutShort ? notHeardWords() : correctedSentence(until, new Date());
}

/** The text, with its speaker and voice if those were corrected too. */
export function earlierText(
  { speaker, voice }: MessageRow,
  { source, speaker: voiceLabel = "", text_content: text }: MessageRow["earlier"][number],
  childName: string,
): string {
  const before = speakerOf(source);
  const voiceBefore = plainText(voiceLabel).trim();
  if (before === speaker && voiceBefore === voice) return plainText(text);
  const name = speakerName(before, childName);
  return labelled(voiceBefore === "" ? name : `${name} (${voiceBefore})`, plainText(text));
}
