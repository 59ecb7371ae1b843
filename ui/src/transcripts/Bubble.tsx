import { SendIcon } from "lucide-react";
import { memo } from "react";

import { type MessageRow, rowName } from "./rows";
import { speakerClass } from "../format/speaker";
import { Marked, type Part } from "../ui/Marked";
import { Tooltip } from "../ui/Tooltip";

export const EMPTY_MESSAGE = "This message is empty.";
export const INTERRUPTED = "Interrupted. The rest was not heard.";
export const SENT = "Sent to the app";

const sides = {
  left: { column: "items-start self-start", bubble: "rounded-bl-[0.375rem] bg-quiet" },
  right: {
    column: "items-end self-end",
    bubble: "rounded-br-[0.375rem] bg-tint forced-colors:border-2 forced-colors:border-dashed",
  },
} as const;

interface BubbleProps {
  row: MessageRow;
  childName: string;
  /** The text of a search match, with the marked words. */
  parts?: readonly Part[] | undefined;
}

/** One message: the assistant's on the left, all others on the right, with its exact text. */
export const Bubble = memo(({ row, childName, parts }: BubbleProps) => {
  const { id, speaker, side, startsRun, timestamp, shownTime, text, interrupted, generated, voice } = row;
  // The message may have been corrected since the search.
  const isCurrent = parts !== undefined && parts.map((part) => part.text).join("") === text;
  const name = (
    <>
      {rowName(row, childName)}
      <span className="sr-only">:</span>
    </>
  );
  return (
    <div data-message={id} className={`flex flex-col md:px-6 ${startsRun ? "pt-4" : "pt-1"}`}>
      {shownTime !== null && (
        <p className="pt-2 pb-3 text-center text-xs text-muted">
          <time dateTime={timestamp}>{shownTime}</time>
        </p>
      )}
      <div className={`flex max-w-[min(88%,36rem)] flex-col ${sides[side].column}`}>
        {startsRun ? (
          <p
            dir="auto"
            className={`max-w-full truncate px-1 pb-1 text-xs text-muted ${speakerClass(speaker)}`}
          >
            {name}
          </p>
        ) : (
          <span className="sr-only">{name}</span>
        )}
        <div className={`max-w-full rounded-bubble px-4 py-2.5 forced-colors:border ${sides[side].bubble}`}>
          {text === "" ? (
            <p className="text-muted italic">{EMPTY_MESSAGE}</p>
          ) : (
            <p dir="auto" className="min-h-6 whitespace-pre-wrap [overflow-wrap:anywhere]">
              {isCurrent ? <Marked parts={parts} /> : text}
              {interrupted && (
                <span aria-hidden="true" className="font-bold">
                  {"\u00A0—"}
                </span>
              )}
            </p>
          )}
          {interrupted && <p className="pt-1 text-xs text-muted">{INTERRUPTED}</p>}
        </div>
        {generated && (
          <Tooltip words="Porchlight knows what was sent, not yet what was heard.">
            {(describedBy) => (
              <button
                type="button"
                aria-describedby={describedBy}
                className="flex min-h-6 cursor-default items-center gap-1.5 px-1 pt-1 text-xs text-muted"
              >
                <SendIcon className="size-3.5 shrink-0" />
                {SENT}
              </button>
            )}
          </Tooltip>
        )}
        {voice !== "" && (
          <p className="max-w-full truncate px-1 pt-1 text-xs text-muted">
            Voice: <bdi>{voice}</bdi>
          </p>
        )}
      </div>
    </div>
  );
});
