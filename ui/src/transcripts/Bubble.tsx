import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { SendIcon } from "lucide-react";
import { memo } from "react";

import { EarlierTexts, notHeardWords } from "./EarlierTexts";
import { splitParts } from "./marks";
import type { MessageRow } from "./rows";
import { ToolCall } from "./ToolCall";
import { messageName, speakerClass } from "../format/speaker";
import { Folded } from "../ui/Folded";
import { Marked, type Part } from "../ui/Marked";
import { Tooltip } from "../ui/Tooltip";

export function emptyMessage(): string {
  return t`This message is empty.`;
}

export function sentWords(): string {
  return t`Sent to the app`;
}

export function fromAppWords(): string {
  return t`from the app, not the model`;
}

export function interruptedSentence(): string {
  return t`Interrupted. The rest was not heard.`;
}

const sides = {
  left: { column: "items-start self-start", bubble: "rounded-es-[0.375rem] bg-quiet" },
  right: {
    column: "items-end self-end",
    bubble: "rounded-ee-[0.375rem] bg-tint forced-colors:border-2 forced-colors:border-dashed",
  },
} as const;

/** A line along what an open fold contains. */
export const inFoldClass = "ms-2 border-s-2 border-line ps-3 md:ms-7.5 md:ps-4 md:pe-6";

interface BubbleProps {
  row: MessageRow;
  childName: string;
  /** The text of a search match, with the marked words. */
  parts?: readonly Part[] | undefined;
  /** Whether the reader came for this message. Opens what is folded in it. */
  isTarget?: boolean;
}

/** One message: the assistant's on the left, all others on the right, with its exact text. */
export const Bubble = memo(({ row, childName, parts, isTarget = false }: BubbleProps) => {
  const { id, unsaid, speaker, side, startsRun, timestamp, shownTime, text, notHeard, interrupted } = row;
  const { generated, fromApp, isToolCall, voice } = row;
  const [heardParts, restParts] = splitParts(partsOf(row, parts), text.length);
  const name = (
    <>
      {messageName(row, childName)}
      <span className="sr-only">:</span>
    </>
  );
  return (
    <div
      data-message={id}
      className={`flex flex-col ${unsaid === undefined ? "md:px-6" : inFoldClass} ${startsRun ? "pt-4" : "pt-1"}`}
    >
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
        {isToolCall ? (
          <ToolCall parts={heardParts} isOpen={isTarget} />
        ) : (
          <div className={`max-w-full rounded-bubble px-4 py-2.5 forced-colors:border ${sides[side].bubble}`}>
            {text === "" && notHeard === "" ? (
              <p className="text-muted italic">{emptyMessage()}</p>
            ) : (
              <p dir="auto" className="min-h-6 whitespace-pre-wrap [overflow-wrap:anywhere]">
                <Marked parts={heardParts} />
                {interrupted && (
                  <span aria-hidden="true" className="font-bold">
                    {"\u00A0—"}
                  </span>
                )}
              </p>
            )}
            {interrupted && <p className="pt-1 text-xs text-muted">{interruptedSentence()}</p>}
            {notHeard !== "" && (
              <Folded summary={notHeardWords()} isOpen={isTarget}>
                <p dir="auto" className="pb-1 whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">
                  <Marked parts={restParts} />
                </p>
              </Folded>
            )}
          </div>
        )}
        <EarlierTexts row={row} childName={childName} />
        {fromApp && <p className="px-1 pt-1 text-xs text-muted">{fromAppWords()}</p>}
        {generated && (
          <Tooltip words={t`Porchlight knows what was sent, not yet what was heard.`}>
            {(describedBy) => (
              <button
                type="button"
                aria-describedby={describedBy}
                className="flex min-h-6 cursor-default items-center gap-1.5 px-1 pt-1 text-xs text-muted"
              >
                <SendIcon className="size-3.5 shrink-0" />
                {sentWords()}
              </button>
            )}
          </Tooltip>
        )}
        {voice !== "" && (
          <p className="max-w-full truncate px-1 pt-1 text-xs text-muted">
            <Trans>
              Voice: <bdi>{voice}</bdi>
            </Trans>
          </p>
        )}
      </div>
    </div>
  );
});

/** A message's whole text, with the marks of a search unless it was corrected since. */
export function partsOf({ text, notHeard }: MessageRow, marked?: readonly Part[]): readonly Part[] {
  const whole = text + notHeard;
  const isCurrent = marked !== undefined && marked.map((part) => part.text).join("") === whole;
  return isCurrent ? marked : [{ text: whole, marked: false }];
}
