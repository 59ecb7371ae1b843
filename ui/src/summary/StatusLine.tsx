import { PauseIcon } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";

import { errorTexts, useTalkStatus } from "./queries";
import { type TalkStatus, isLive, pauseEnd, pendingSentence, statusSentence } from "./status-line";
import { errorMessage } from "../api/problem";
import type { Child } from "../children/children";
import { viewersZone } from "../format/dates";
import { paths } from "../paths";
import { type PauseLength, endOfPause, presentPause } from "../schedule/pause";
import { errorTexts as timesErrorTexts, useTimes } from "../schedule/queries";
import { SaveLine } from "../schedule/SaveLine";
import { timesInOneLine } from "../schedule/schedule";
import { Button } from "../ui/Button";
import type { HistoryState } from "../ui/history-state";
import { useNow } from "../ui/now";
import { QuietLine } from "../ui/QuietLine";

/** Where the pause on screen comes from. */
type Pausing = "none" | "just paused" | "before";

/** What the assistants are doing, and the button that pauses them. The line always has the same height. */
export function StatusLine({ child }: { child: Child }) {
  const status = useTalkStatus(child.child_id);
  const { query: times, editing, saving, dispatch } = useTimes(child, "summary");
  const now = useNow(times.data?.times.pause?.until);
  const pause = times.data === undefined ? null : presentPause(times.data.times, now);
  // Another guardian's pause doesn't add the row of lengths while the page is open, because that would move the page.
  const [pausing, setPausing] = useState<Pausing>(pause === null ? "none" : "before");
  const zone = times.data?.times.time_zone ?? viewersZone();

  const pauseFor = (length: PauseLength) => {
    const until = endOfPause(length, zone, new Date());
    setPausing(length === "an hour" ? "just paused" : "before");
    dispatch({ kind: "change", change: { kind: "pause", ...(until !== undefined && { until }) } });
  };
  const resume = () => {
    setPausing("none");
    dispatch({ kind: "change", change: { kind: "end pause" } });
  };
  const pending =
    status.data !== undefined && times.data !== undefined && (saving || status.isFetching)
      ? pendingSentence(status.data.data, pause)
      : null;
  const failure = status.data === undefined ? status.error : null;
  return (
    <section aria-label="Now" className="flex flex-col gap-2 print:hidden">
      <div className="flex min-h-21 flex-wrap items-center gap-x-3 rounded-surface border border-line bg-surface pr-2 pl-4">
        <div role="status" className="h-21 min-w-[min(11rem,100%)] flex-1 [@media(width<20rem)]:h-30">
          {status.data !== undefined ? (
            <Sentence
              childId={child.child_id}
              status={status.data.data}
              words={pending ?? statusSentence(status.data.data, zone, new Date())}
              end={pending === null ? pauseEnd(status.data.data, zone, new Date()) : null}
            />
          ) : (
            failure !== null && (
              <p className="flex h-full items-center">
                <span className="line-clamp-2">{errorMessage(failure, errorTexts.status)}</span>
              </p>
            )
          )}
        </div>
        <Button
          look="plain"
          disabled={saving || times.data === undefined}
          onClick={pause === null ? () => pauseFor("an hour") : resume}
          className="my-1.5 ml-auto shrink-0"
          aria-label={pause === null ? "Pause for an hour" : undefined}
        >
          {pause === null && <PauseIcon className="size-5" />}
          {pause === null ? "Pause" : pausing === "just paused" ? "Undo" : "Resume"}
        </Button>
      </div>
      {pause !== null && pausing !== "none" && (
        <Lengths isEndless={pause.until === undefined} disabled={saving} pauseFor={pauseFor} />
      )}
      {times.data === undefined && times.error !== null && (
        <QuietLine sentence={errorMessage(times.error, timesErrorTexts.load)} />
      )}
      {times.data !== undefined && (
        <Link
          to={paths.section(child.child_id, "settings/times")}
          className="-my-1 flex min-h-11 items-center self-start pl-4 text-sm text-muted underline underline-offset-4"
        >
          {timesInOneLine(times.data.times)}
        </Link>
      )}
      {editing.status.kind === "failed" && <SaveLine status={editing.status} dispatch={dispatch} />}
    </section>
  );
}

interface SentenceProps {
  childId: number;
  status: TalkStatus;
  words: string;
  /** A second part, on a line of its own. */
  end: string | null;
}

/** Links to the conversation in progress, at its end; else to the last one. */
function Sentence({ childId, status, words, end }: SentenceProps) {
  const live = isLive(status);
  const last = status.state === "not_talking" ? status.last_heard?.session_id : undefined;
  const session = status.session_id ?? last;
  const text = (
    <>
      {live && (
        <span
          aria-hidden="true"
          className="size-2.5 shrink-0 rounded-full bg-lamp forced-colors:bg-[Highlight]"
        />
      )}
      <span className={`min-w-0 ${end === null ? "" : "leading-5"}`}>
        <span
          title={words}
          className={`line-clamp-2 [overflow-wrap:anywhere] ${end === null ? "[@media(width<20rem)]:line-clamp-4" : "[@media(width<20rem)]:line-clamp-3"} ${session === undefined ? "" : "underline underline-offset-4"}`}
        >
          {words}
        </span>{" "}
        {end !== null && <span className="block truncate text-sm leading-5 font-normal">{end}</span>}
      </span>
    </>
  );
  const className = `flex h-full items-center gap-2 ${live || status.pause !== undefined ? "font-bold" : ""}`;
  if (session === undefined) return <p className={className}>{text}</p>;
  return (
    <Link
      to={paths.transcripts(childId, session)}
      state={{ atEnd: live } satisfies HistoryState}
      className={`${className} -outline-offset-2`}
    >
      {text}
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
    <div role="group" aria-label="Pause for longer" className="flex flex-wrap gap-2">
      <Button look="plain" disabled={disabled} onClick={() => pauseFor("until tomorrow")}>
        Until tomorrow at 7
      </Button>
      {!isEndless && (
        <Button look="plain" disabled={disabled} onClick={() => pauseFor("until resumed")}>
          Until I resume
        </Button>
      )}
    </div>
  );
}
