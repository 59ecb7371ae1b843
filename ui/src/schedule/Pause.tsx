import { type MessageDescriptor, i18n } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { PauseIcon } from "lucide-react";
import { type ReactNode, useRef } from "react";

import type { TimesAction } from "./queries";
import { type PauseLength, endOfPause, presentPause } from "./pause";
import type { Times } from "./schedule";
import { timeAndZone } from "../format/dates";
import { Button } from "../ui/Button";
import { useNow } from "../ui/now";
import { useFocusAfterChange } from "../ui/focus";

interface PauseProps {
  times: Times;
  saving: boolean;
  /** Says so once a change made here is saved. */
  saved: ReactNode;
  dispatch: (action: TimesAction) => void;
}

const lengths: readonly { length: PauseLength; label: MessageDescriptor }[] = [
  { length: "an hour", label: msg`For an hour` },
  { length: "until tomorrow", label: msg`Until tomorrow at 7` },
  { length: "until resumed", label: msg`Until resumed` },
];

export function Pause({ times, saving, saved, dispatch }: PauseProps) {
  const now = useNow(times.pause?.until);
  const paused = presentPause(times, now);
  const buttons = useRef<HTMLDivElement>(null);
  useFocusAfterChange(paused !== null, () => buttons.current?.querySelector("button"));
  const pause = (length: PauseLength) => {
    const until = endOfPause(length, times.time_zone, new Date());
    dispatch({ kind: "change", change: { kind: "pause", ...(until !== undefined && { until }) } });
  };
  if (paused !== null) {
    return (
      <div ref={buttons} className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="flex items-center gap-2 font-bold">
          <PauseIcon className="size-5" />
          {pausedSentence(paused.until, times.time_zone, now)}
        </p>
        <Button
          look="plain"
          disabled={saving}
          onClick={() => dispatch({ kind: "change", change: { kind: "end pause" } })}
        >
          <Trans>Resume</Trans>
        </Button>
        {saved}
      </div>
    );
  }
  return (
    <div ref={buttons} className="flex flex-wrap gap-2">
      {lengths.map(({ length, label }) => (
        <Button key={length} look="plain" disabled={saving} onClick={() => pause(length)}>
          {i18n._(label)}
        </Button>
      ))}
      {saved}
    </div>
  );
}

/** In the child's time zone. */
function pausedSentence(until: string | undefined, timeZone: string, now: Date): string {
  if (until === undefined) return t`Paused until resumed`;
  return t`Paused until ${{ time: timeAndZone(timeZone, until, now) }}`;
}
