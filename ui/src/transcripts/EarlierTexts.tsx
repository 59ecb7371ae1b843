import type { MessageRow } from "./rows";
import { correctedSentence } from "../format/corrected";
import { plainText } from "../format/plain-text";
import { speakerName, speakerOf } from "../format/speaker";
import { labelled } from "../format/labelled";
import { Folded } from "../ui/Folded";

/** What a message said before the assistant corrected it, oldest first. */
export function EarlierTexts({ row, childName }: { row: MessageRow; childName: string }) {
  return row.earlier.map((earlier, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- two corrections may have the same text and time
    <Folded key={index} summary={correctedSentence(earlier.until, new Date())} isOpen={false}>
      <p dir="auto" className="pb-1 text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
        {earlierText(row, earlier, childName)}
      </p>
    </Folded>
  ));
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
