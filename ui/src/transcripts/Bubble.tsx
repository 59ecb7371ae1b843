import { memo } from "react";

import type { Row } from "./rows";
import { plainText } from "../format/plain-text";
import { VisuallyHidden } from "../ui/VisuallyHidden";

/** One message: the assistant's on the left, everybody else's on the right, its text exactly as it was said. */
export const Bubble = memo(({ row }: { row: Row }) => {
  const { message, speaker, side, startsRun, moment } = row;
  const left = side === "left";
  return (
    <div data-message={message.message_id} className={`flex flex-col md:px-6 ${startsRun ? "pt-4" : "pt-1"}`}>
      {moment !== null && (
        <p className="pt-2 pb-3 text-center text-xs text-muted">
          <time dateTime={message.timestamp}>{moment}</time>
        </p>
      )}
      <div
        className={`flex max-w-[min(88%,36rem)] flex-col ${left ? "items-start self-start" : "items-end self-end"}`}
      >
        {startsRun ? (
          <p className="max-w-full truncate px-1 pb-1 text-xs text-muted first-letter:uppercase">
            {plainText(speaker)}
            <VisuallyHidden>:</VisuallyHidden>
          </p>
        ) : (
          <VisuallyHidden>{plainText(speaker)}:</VisuallyHidden>
        )}
        <div
          className={`max-w-full rounded-bubble px-4 py-2.5 ${left ? "rounded-bl-[0.375rem] bg-quiet" : "rounded-br-[0.375rem] bg-tint"}`}
        >
          <p dir="auto" className="min-h-6 whitespace-pre-wrap [overflow-wrap:anywhere]">
            {plainText(message.text_content ?? "")}
            {message.interrupted === true && (
              <span aria-hidden="true" className="font-bold">
                {"\u00A0—"}
              </span>
            )}
          </p>
          {message.interrupted === true && (
            <p className="pt-1 text-xs text-muted">Interrupted. The rest was not heard.</p>
          )}
        </div>
      </div>
    </div>
  );
});
