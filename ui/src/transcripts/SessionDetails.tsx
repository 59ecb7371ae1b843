import type { ListedSession } from "./queries";
import { relativeDay, timeOfDay } from "../format/dates";

/** When a session was, how long it took, and how much was said: tells sessions of one topic apart. */
export function SessionDetails({ session }: { session: ListedSession }) {
  const { startTime, date, length, messages } = session;
  const lines = [
    [relativeDay(startTime, new Date()), date, timeOfDay(startTime)],
    [length, messages],
  ];
  return lines.map((parts, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the two lines never change places
    <span key={index} className="block text-sm text-muted tabular-nums">
      {parts.filter((part) => part !== "").join(", ")}
    </span>
  ));
}
