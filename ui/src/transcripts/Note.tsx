import { memo } from "react";

import { EarlierTexts } from "./EarlierTexts";
import { emptyMessage, fromAppWords, inFoldClass, partsOf } from "./Bubble";
import type { MessageRow } from "./rows";
import { messageName } from "../format/speaker";
import { Marked, type Part } from "../ui/Marked";

interface NoteProps {
  row: MessageRow;
  childName: string;
  /** The text of a search match, with the marked words. */
  parts?: readonly Part[] | undefined;
}

/** A text that no one said aloud: without a bubble, so that it isn't taken for somebody's words. */
export const Note = memo(({ row, childName, parts }: NoteProps) => (
  <div data-message={row.id} className={`pt-2 text-sm text-muted ${inFoldClass}`}>
    <span className="sr-only">{messageName(row, childName)}:</span>
    <p dir="auto" className="max-w-[65ch] whitespace-pre-wrap [overflow-wrap:anywhere]">
      {row.text === "" ? <i>{emptyMessage()}</i> : <Marked parts={partsOf(row, parts)} />}
    </p>
    <EarlierTexts row={row} childName={childName} />
    {row.fromApp && <p className="pt-1 text-xs">{fromAppWords()}</p>}
  </div>
));
