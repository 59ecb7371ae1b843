import { Trans } from "@lingui/react/macro";
import { ChevronRightIcon } from "lucide-react";
import { useId } from "react";
import { Link } from "react-router";

import { AlertDay, NoticedOn } from "./AlertDay";
import { DealtWith } from "./DealtWith";
import { NotWorrying } from "./NotWorrying";
import { isUrgent } from "./order";
import { type Phrase, type PhraseChange, isWatched } from "./phrases";
import { useChangePhrases } from "./queries";
import { type AnyAlert, alertSentence, dayOf, deletionSentence, isNoticedLater } from "./sentences";
import { helpTopicOf } from "./starting-lists";
import { StoppedWatching } from "./StoppedWatching";
import { UrgentMark, urgentClass } from "./Urgent";
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
import { UndoLine } from "../ui/UndoLine";
import { useFocusAfterUndo } from "../ui/focus";

interface AlertItemProps {
  child: Child;
  alert: AnyAlert;
  isNew: boolean;
  showsDay: boolean;
  /** The guardian's phrases; undefined until they are loaded. */
  watched: readonly Phrase[] | undefined;
}

/** One alert: what happened, which is the link to where it happened, and below it what can be done, the gravest first. */
export function AlertItem({ child, alert, isNew, showsDay, watched }: AlertItemProps) {
  const sentence = useId();
  const { flagged, phrase } = alert;
  const model = plainText(flagged?.model ?? "");
  const helpTopic = flagged?.concern ?? helpTopicOf(phrase);
  return (
    <li
      tabIndex={-1}
      data-alert={alert.alert_id}
      className={`scroll-mt-20 rounded-surface border [overflow-wrap:anywhere] ${isUrgent(alert) ? urgentClass : "border-line bg-surface"}`}
    >
      <div className="group relative flex flex-col gap-2 px-4 pt-3 pb-2 md:px-5">
        <Labels alert={alert} isNew={isNew} showsDay={showsDay} />
        <p id={sentence} className="flex items-start justify-between gap-2 font-bold">
          <Place childId={child.child_id} alert={alert}>
            {alertSentence(alert, child.name)}
          </Place>
        </p>
        {flagged !== undefined && (
          <p className="text-sm text-muted">
            <Trans>
              The model <bdi>{model}</bdi> said so.
            </Trans>
          </p>
        )}
        {alert.text_content !== undefined && <Words child={child} alert={alert} />}
      </div>
      <div className="flex flex-col px-4 pb-2 md:px-5">
        <Corrected child={child} alert={alert} />
        <Deleted childId={child.child_id} alert={alert} />
        {helpTopic !== null && <WhatNow child={child} topic={helpTopic} describedBy={sentence} />}
        <div className="relative -mx-4 flex flex-wrap items-center empty:hidden forced-colors:mx-0">
          <DealtWith childId={child.child_id} alert={alert} describedBy={sentence} />
          {phrase !== undefined && (
            <StopWatching childId={child.child_id} phrase={phrase} watched={watched} describedBy={sentence} />
          )}
          {flagged !== undefined && !alert.dealt_with && (
            <NotWorrying child={child} alert={alert} flagged={flagged} />
          )}
        </div>
      </div>
    </li>
  );
}

function Labels({ alert, isNew, showsDay }: Pick<AlertItemProps, "alert" | "isNew" | "showsDay">) {
  const isLater = isNoticedLater(alert);
  if (!isUrgent(alert) && !isNew && !showsDay && !isLater) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2.5 text-sm text-muted">
      {isUrgent(alert) && <UrgentMark />}
      {showsDay && <AlertDay at={dayOf(alert)} />}
      {isLater && (
        <span>
          <NoticedOn at={alert.arrived_at} />
        </span>
      )}
      {isNew && (
        <span className="rounded-full bg-lamp-glow px-2.5 font-bold text-ink forced-colors:border">
          <Trans context="an alert">New</Trans>
        </span>
      )}
    </p>
  );
}

/** The link to where it happened covers all that is said of it. Without such a place it is text. */
function Place({ childId, alert, children }: { childId: number; alert: AnyAlert; children: string }) {
  const place = placeOf(childId, alert);
  if (place === null) return children;
  return (
    <>
      <Link
        to={place.to}
        state={place.state}
        className="underline-offset-4 group-hover:underline after:absolute after:inset-0 after:rounded-surface focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-lamp"
      >
        {children}
      </Link>
      <ChevronRightIcon className="text-muted" />
    </>
  );
}

/** The conversation at the message, with the words marked; for what went wrong with an assistant, the assistants. */
function placeOf(childId: number, alert: AnyAlert): { to: string; state?: HistoryState } | null {
  const { session_id: session, message_id: message = null, ranges = [] } = alert;
  if (alert.restorable_until !== undefined) return null;
  if (session !== undefined) return { to: paths.transcripts(childId, session), state: { message, ranges } };
  return { to: paths.section(childId, "settings/assistants") };
}

function Corrected({ child, alert }: { child: Child; alert: AnyAlert }) {
  const { earlier } = alert;
  return (
    <>
      {alert.corrected === true && earlier === undefined && (
        <p className="text-sm">
          <Trans>It was corrected later.</Trans>
        </p>
      )}
      {earlier !== undefined && (
        <Folded summary={correctedSentence(earlier.until, new Date())} isOpen>
          <Line message={earlier} childName={child.name} assistant={alert.assistant} />
        </Folded>
      )}
    </>
  );
}

function Deleted({ childId, alert }: { childId: number; alert: AnyAlert }) {
  const sentence = deletionSentence(alert);
  if (sentence === null) return null;
  return (
    <>
      <p>{sentence}</p>
      <TextLink to={paths.deleted(childId)} className="self-start">
        <Trans>Recently deleted</Trans>
      </TextLink>
    </>
  );
}

/** The message with its neighbours, as in the transcript. */
function Words({ child, alert }: { child: Child; alert: AnyAlert }) {
  const { assistant, before, after } = alert;
  return (
    <blockquote className="flex max-w-[65ch] flex-col gap-1.5 border-s-2 border-edge ps-3">
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
      <p dir="auto" className="text-left page-rtl:text-right whitespace-pre-line">
        {text.trim() === "" ? (
          <i>
            <Trans>This message is empty.</Trans>
          </i>
        ) : (
          <Marked parts={partsOf(text, ranges)} />
        )}
      </p>
    </div>
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
  const isStopped = watched !== undefined && !isWatched(watched, phrase);
  const { area, press } = useFocusAfterUndo<HTMLDivElement>(isStopped);
  if (watched === undefined) return null;
  if (isStopped && change.isIdle)
    return (
      <p className="px-4 text-sm text-muted forced-colors:px-0">
        <StoppedWatching words={phrase.words} />
      </p>
    );
  const put = (kind: PhraseChange["kind"]) => {
    press();
    change.mutate({ kind, phrase });
  };
  return (
    <div ref={area} className={isStopped ? "basis-full px-4 forced-colors:px-0" : ""}>
      {isStopped ? (
        <UndoLine disabled={change.isPending} onUndo={() => put("watch")}>
          <StoppedWatching words={phrase.words} />
        </UndoLine>
      ) : (
        <Button
          look="quiet"
          aria-describedby={describedBy}
          busy={change.isPending}
          onClick={() => put("stop")}
        >
          <Trans>Stop watching this</Trans>
        </Button>
      )}
      <Failure error={change.error} />
    </div>
  );
}
