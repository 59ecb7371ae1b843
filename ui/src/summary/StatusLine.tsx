import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { PauseIcon } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";

import { useTalkStatus } from "./queries";
import { type TalkStatus, failureOfPause, isLive, noAnswerSentence, statusSentence } from "./status-line";
import { useGetTimes } from "../api/generated/client/rules/rules";
import { errorMessage, isAway } from "../api/problem";
import type { Child } from "../children/children";
import { viewersZone } from "../format/dates";
import { paths } from "../paths";
import { errorTexts } from "../rules/queries";
import { type PauseLength, endOfPause } from "../schedule/pause";
import { usePause } from "../schedule/queries";
import { timesInOneLine } from "../schedule/schedule";
import { Button, BUSY } from "../ui/Button";
import type { HistoryState } from "../ui/history-state";
import { QuietLine } from "../ui/QuietLine";
import { inPagesLanguage } from "../ui/language";

/** Where the pause on screen comes from. */
type Pausing = "none" | "just paused" | "before";

/**
 * What the assistants are doing as the server says it, and the button that pauses them. What comes and goes has its place, so
 * that nothing moves.
 */
export function StatusLine({ child: { child_id: childId } }: { child: Child }) {
  const { data: answer, error, dataUpdatedAt: statusAt } = useTalkStatus(childId);
  const status = answer?.data;
  const times = useGetTimes(childId);
  const savedTimes = times.data?.data;
  const zone = savedTimes?.time_zone ?? viewersZone();
  const isPaused = (status ?? savedTimes)?.pause !== undefined;
  // Another guardian's pause doesn't put buttons where the link to the times is while the page is open.
  const [pausing, setPausing] = useState<Pausing>(isPaused ? "before" : "none");
  const pause = usePause(childId);
  const pauseFor = (length: PauseLength) => {
    const until = endOfPause(length, zone, new Date());
    setPausing(length === "an hour" ? "just paused" : "before");
    pause.mutate({ kind: "pause", ...(until !== undefined && { until }) });
  };
  const resume = () => pause.mutate({ kind: "end pause" });
  if (status?.state === "no_assistant") return null;
  const failure = failureOf(pause, { isPaused, statusAt });
  return (
    <section aria-label={t`Now`} className="flex flex-col gap-2 [overflow-wrap:anywhere] print:hidden">
      <div className="flex items-center gap-3 rounded-surface border border-line bg-surface p-3">
        <div className="flex min-h-18 min-w-0 flex-1 flex-col justify-center md:min-h-12 wide:min-h-18">
          <div role="status">
            {failure === null && status !== undefined && (
              <Sentence
                childId={childId}
                status={status}
                words={pause.isPending ? inPagesLanguage(BUSY) : statusSentence(status, zone, new Date())}
                more={pause.isPending ? null : noAnswerSentence(status)}
              />
            )}
            {status === undefined && error !== null && errorMessage(error)}
          </div>
          {failure !== null && <p role="alert">{failure}</p>}
        </div>
        <Button
          look="plain"
          disabled={savedTimes === undefined}
          busy={pause.isPending}
          onClick={isPaused ? resume : () => pauseFor("an hour")}
          className="shrink-0"
          aria-label={isPaused ? undefined : t`Pause for an hour`}
        >
          {!isPaused && <PauseIcon className="size-5" />}
          {isPaused
            ? pausing === "just paused"
              ? t`Undo`
              : t`Resume`
            : t({ message: "Pause", context: "to pause" })}
        </Button>
      </div>
      <div className="flex min-h-11 flex-wrap items-center gap-2">
        {isPaused && pausing !== "none" ? (
          <Lengths isEndless={status?.until === undefined} disabled={pause.isPending} pauseFor={pauseFor} />
        ) : (
          savedTimes !== undefined && (
            <Link
              to={paths.section(childId, "settings/times")}
              className="flex min-h-11 items-center px-3 text-sm text-muted underline underline-offset-4"
            >
              {timesInOneLine(savedTimes)}
            </Link>
          )
        )}
        {savedTimes === undefined && times.error !== null && (
          <QuietLine sentence={errorMessage(times.error)} className="px-3" />
        )}
      </div>
    </section>
  );
}

/** Why the last change of the pause failed; null if it didn't, or if the pause is as it should be by now. */
function failureOf(
  { isError, error, variables, submittedAt }: ReturnType<typeof usePause>,
  { isPaused, statusAt }: { isPaused: boolean; statusAt: number },
): string | null {
  if (!isError || isPaused === (variables.kind === "pause")) return null;
  const isBack = statusAt > submittedAt;
  const reason = isAway(error)
    ? isBack
      ? t`Please try again.`
      : t`Porchlight can't be reached.`
    : errorMessage(error, errorTexts.save);
  return failureOfPause(variables.kind, reason);
}

interface SentenceProps {
  childId: number;
  status: TalkStatus;
  words: string;
  /** A further sentence. */
  more: string | null;
}

/** Links to the conversation in progress, at its end. */
function Sentence({ childId, status, words, more }: SentenceProps) {
  const { session_id: session, pause } = status;
  const isBold = isLive(status) || pause !== undefined;
  const text = (
    <>
      {words}
      {more !== null && (
        <>
          {". "}
          <span className="block text-sm/5 font-normal">{more}</span>
        </>
      )}
    </>
  );
  if (session === undefined) return <p className={isBold ? "font-bold" : ""}>{text}</p>;
  return (
    <Link
      to={paths.transcripts(childId, session)}
      state={{ atEnd: true } satisfies HistoryState}
      className="flex min-h-11 items-center gap-2 font-bold underline underline-offset-4"
    >
      <span
        aria-hidden="true"
        className="size-2.5 shrink-0 rounded-full bg-lamp forced-colors:bg-[Highlight]"
      />
      <span className="min-w-0">{text}</span>
    </Link>
  );
}

interface LengthsProps {
  isEndless: boolean;
  disabled: boolean;
  pauseFor: (length: PauseLength) => void;
}

/** Other lengths of the present pause. */
function Lengths({ isEndless, disabled, pauseFor }: LengthsProps) {
  return (
    <div role="group" aria-label={t`Pause`} className="flex flex-wrap gap-2">
      <Button look="plain" disabled={disabled} onClick={() => pauseFor("until tomorrow")}>
        <Trans>Until tomorrow at 7</Trans>
      </Button>
      {!isEndless && (
        <Button look="plain" disabled={disabled} onClick={() => pauseFor("until resumed")}>
          <Trans>Until resumed</Trans>
        </Button>
      )}
    </div>
  );
}
