import type { ListedSession } from "./queries";
import { relativeDay, timeOfDay } from "../format/dates";
import { useToday } from "../ui/now";

interface SessionDetailsProps {
  session: ListedSession;
  childName: string;
  className?: string;
}

/** Date, length and device of a session on one line: distinguishes sessions with the same topic. */
export function SessionDetails({ session, childName, className = "block" }: SessionDetailsProps) {
  const { began, date, length, messages, place, isLive, notChild } = session;
  const now = useToday();
  const day = [relativeDay(began, now), date, timeOfDay(began)].filter((part) => part !== "").join(", ");
  const parts = [day, length === "" ? messages : length, place].filter((part) => part !== "");
  return (
    <span className={`text-sm text-muted tabular-nums [overflow-wrap:anywhere] ${className}`}>
      {isLive && <strong className="text-ink">Live · </strong>}
      {parts.join(" · ")}
      {notChild && (
        <>
          {" "}
          · not <bdi>{childName}</bdi>
        </>
      )}
    </span>
  );
}
