import { t } from "@lingui/core/macro";
import { CircleAlertIcon } from "lucide-react";

import {
  type Try,
  another,
  changedSentence,
  checkWordsSentence,
  isOver,
  promptSentence,
  resultOf,
  stateSentences,
} from "./sentences";
import { plainText } from "../format/plain-text";
import { Notice } from "../ui/Notice";

interface ResultProps {
  one: Try;
  /** Whether its assistant was not tried since. */
  isNewest: boolean;
  /** Without what only explains the figures. */
  isShort?: boolean;
}

/** What a try has shown, and what is missing. */
export function Result({ one, isNewest, isShort = false }: ResultProps) {
  const state = stateSentences(one);
  const changed = changedSentence(one, isNewest, new Date());
  const words = isOver(one) ? checkWordsSentence(one) : null;
  const { topics, others, flagged, about } = resultOf(one);
  const shown = isShort ? [...topics, ...flagged] : [...topics, ...others, ...flagged, ...about];
  return (
    <div className="flex flex-col gap-2 [overflow-wrap:anywhere]">
      {state.length > 0 && (
        <p role={isOver(one) ? undefined : "status"} className={isOver(one) ? "font-bold" : ""}>
          {state.join(" ")}
        </p>
      )}
      {changed !== null && <p className="font-bold">{changed}</p>}
      {words?.isWarning === true && (
        <Notice className="flex items-start gap-3 py-3">
          <CircleAlertIcon className="shrink-0" />
          <p className="min-w-0">{words.sentence}</p>
        </Notice>
      )}
      {shown.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {!isShort && words?.isWarning === false && <p>{words.sentence}</p>}
      {isOver(one) && <p>{another()}</p>}
      {!isShort && isOver(one) && (
        <p className="text-sm text-muted">
          {promptSentence(one)} {askedOf(one)}
        </p>
      )}
    </div>
  );
}

function askedOf({ model, host }: Try): string {
  const [ai, server] = [plainText(model), plainText(host)];
  return t`Asked: ${{ ai }} at ${{ server }}.`;
}
