import { useId, useRef } from "react";

import { AlertDay } from "./AlertDay";
import { DealtWith } from "./DealtWith";
import { NotWorrying } from "./NotWorrying";
import { type Phrase, isWatched } from "./phrases";
import { useChangePhrases } from "./queries";
import { type AnyAlert, alertSentence, dayOf, deletionSentence, isNoticedLater } from "./sentences";
import { WhatNow } from "./WhatNow";
import { Failure } from "../api/Failure";
import type { Child } from "../children/children";
import { correctedSentence } from "../format/corrected";
import { partsOf } from "../format/marks";
import { plainText } from "../format/plain-text";
import { type MessageKind, messageName, speakerClass, speakerOf } from "../format/speaker";
import { paths } from "../paths";
import { Button } from "../ui/Button";
import { Folded } from "../ui/Folded";
import type { HistoryState } from "../ui/history-state";
import { Marked } from "../ui/Marked";
import { TextLink } from "../ui/TextLink";
import { useFocusAfterChange } from "../ui/focus";

interface AlertItemProps {
  child: Child;
  alert: AnyAlert;
  isNew: boolean;
  /** The guardian's phrases; undefined until they are loaded. */
  watched: readonly Phrase[] | undefined;
}

/** One alert: its sentence, the words that it is about, and what can be done. */
export function AlertItem({ child, alert, isNew, watched }: AlertItemProps) {
  const sentence = useId();
  const deleted = deletionSentence(alert);
  const { flagged } = alert;
  return (
    <li
      tabIndex={-1}
      data-alert={alert.alert_id}
      className="flex scroll-mt-20 flex-col gap-2 rounded-surface border border-line bg-surface px-4 pt-3 pb-2 [overflow-wrap:anywhere] md:px-5"
    >
      <p className="flex items-center gap-2 text-sm text-muted">
        <AlertDay at={dayOf(alert)} />
        {isNoticedLater(alert) && (
          <span>
            (noticed <AlertDay at={alert.arrived_at} isInSentence />)
          </span>
        )}
        {isNew && (
          <span className="rounded-full bg-lamp-glow px-2.5 font-bold text-ink forced-colors:border">
            New
          </span>
        )}
      </p>
      <p id={sentence} className="font-bold">
        {alertSentence(alert, child.name)}
      </p>
      {flagged !== undefined && (
        <p className="text-sm text-muted">
          The model <bdi>{plainText(flagged.model)}</bdi> said so
          {flagged.severity === "urgent" && (
            <>
              , and that it is <strong className="text-ink">urgent</strong>
            </>
          )}
          .
        </p>
      )}
      {alert.text_content !== undefined && <Words child={child} alert={alert} />}
      {alert.corrected === true && <p className="text-sm">It was corrected later.</p>}
      {alert.earlier !== undefined && (
        <Folded summary={correctedSentence(alert.earlier.until, new Date())} isOpen={false}>
          <Line message={alert.earlier} childName={child.name} assistant={alert.assistant} />
        </Folded>
      )}
      {deleted !== null && <p>{deleted}</p>}
      <div className="relative -mx-4 flex flex-wrap items-center forced-colors:mx-0">
        <Place childId={child.child_id} alert={alert} describedBy={sentence} />
        <DealtWith childId={child.child_id} alert={alert} describedBy={sentence} />
        {alert.phrase !== undefined && (
          <StopWatching
            childId={child.child_id}
            phrase={alert.phrase}
            watched={watched}
            describedBy={sentence}
          />
        )}
        {flagged !== undefined && !alert.dealt_with && (
          <NotWorrying child={child} alert={alert} flagged={flagged} />
        )}
      </div>
      {flagged !== undefined && <WhatNow child={child} concern={flagged.concern} describedBy={sentence} />}
    </li>
  );
}

/** The message with its neighbours, as in the transcript. */
function Words({ child, alert }: { child: Child; alert: AnyAlert }) {
  const { assistant, before, after } = alert;
  return (
    <blockquote className="flex max-w-[65ch] flex-col gap-1.5 border-l-2 border-line pl-3">
      {before !== undefined && (
        <Line message={before} childName={child.name} assistant={assistant} isNeighbour />
      )}
      <Line message={alert} unsaid={alert.message_kind} childName={child.name} assistant={assistant} />
      {after !== undefined && (
        <Line message={after} childName={child.name} assistant={assistant} isNeighbour />
      )}
    </blockquote>
  );
}

interface LineProps {
  message: { source?: string; text_content?: string; ranges?: readonly (readonly number[])[] };
  /** What it is, if it was not said in the conversation. */
  unsaid?: MessageKind | undefined;
  childName: string;
  assistant?: string | undefined;
  isNeighbour?: boolean;
}

const noRanges: readonly number[][] = [];

export function Line({ message, unsaid, childName, assistant, isNeighbour = false }: LineProps) {
  const { source, text_content: text = "", ranges = noRanges } = message;
  const speaker = speakerOf(source);
  return (
    <div className={isNeighbour ? "text-muted" : ""}>
      <p className="text-xs text-muted">
        <bdi className={speakerClass(speaker)}>{messageName({ speaker, unsaid }, childName, assistant)}</bdi>
        <span className="sr-only">:</span>
      </p>
      <p dir="auto" className="text-left whitespace-pre-line">
        {text.trim() === "" ? <i>This message is empty.</i> : <Marked parts={partsOf(text, ranges)} />}
      </p>
    </div>
  );
}

const linkClass = "rounded-control px-4 -outline-offset-2 forced-colors:pl-0";

/** The link to the conversation at the message; for a deleted one, to where it can be restored. */
function Place({ childId, alert, describedBy }: { childId: number; alert: AnyAlert; describedBy: string }) {
  const { session_id: session, message_id: message = null } = alert;
  if (alert.restorable_until !== undefined) {
    return (
      <TextLink to={paths.deleted(childId)} aria-describedby={describedBy} className={linkClass}>
        Recently deleted
      </TextLink>
    );
  }
  if (session === undefined) return null;
  return (
    <TextLink
      to={paths.transcripts(childId, session)}
      state={{ message } satisfies HistoryState}
      aria-describedby={describedBy}
      className={linkClass}
    >
      Open the conversation
    </TextLink>
  );
}

interface StopWatchingProps {
  childId: number;
  phrase: Phrase;
  watched: readonly Phrase[] | undefined;
  describedBy: string;
}

function StopWatching({ childId, phrase, watched, describedBy }: StopWatchingProps) {
  const change = useChangePhrases(childId);
  const note = useRef<HTMLParagraphElement>(null);
  const isStopped = watched !== undefined && !isWatched(watched, phrase);
  const { isIdle } = change;
  useFocusAfterChange(isStopped, () => (isIdle ? null : note.current));
  if (watched === undefined) return null;
  if (isStopped) {
    return (
      <p ref={note} tabIndex={-1} className="flex min-h-11 items-center px-4 text-sm text-muted">
        You don&apos;t watch for &quot;{plainText(phrase.words)}&quot; any more.
      </p>
    );
  }
  return (
    <>
      <Button
        look="quiet"
        aria-describedby={describedBy}
        busy={change.isPending}
        onClick={() => change.mutate({ kind: "stop", phrase })}
      >
        Stop watching this
      </Button>
      <Failure error={change.error} />
    </>
  );
}
