import { Trans } from "@lingui/react/macro";

import type { ListedSession } from "./queries";
import { relativeDay, timeOfDay, weekdayAndTime } from "../format/dates";
import { useToday } from "../ui/now";

interface SessionDetailsProps {
  session: ListedSession;
  childName: string;
  /** Whether the heading above has its date. */
  isUnderDate?: boolean;
  className?: string;
}

/** Date, length and device of a session on one line: distinguishes sessions with the same topic. */
export function SessionDetails({
  session,
  childName,
  isUnderDate = false,
  className = "block",
}: SessionDetailsProps) {
  const { began, date, length, messages, place, isLive, notChild } = session;
  const now = useToday();
  const time = isUnderDate ? weekdayAndTime(began, now) : timeOfDay(began);
  const when = (isUnderDate ? [time] : [relativeDay(began, now), date, time]).filter(Boolean).join(", ");
  const rest = [length === "" ? messages : length, place].filter(Boolean).join(" · ");
  return (
    <span className={`text-sm text-muted tabular-nums [overflow-wrap:anywhere] ${className}`}>
      {isLive && (
        <strong className="text-ink">
          <Trans>Live</Trans>
          {" · "}
        </strong>
      )}
      {when}
      {isUnderDate && <span className="sr-only"> {date}</span>}
      {when === "" ? rest : ` · ${rest}`}
      {notChild && (
        <>
          {" · "}
          <Trans>
            not <bdi>{childName}</bdi>
          </Trans>
        </>
      )}
    </span>
  );
}
