import type { ListedSession } from "./queries";
import { relativeDay, timeOfDay } from "../format/dates";
import { useToday } from "../ui/now";

/** When a session was, how long it took, and how much was said: where it was said: tells sessions of one topic apart. */
export function SessionDetails({ session }: { session: ListedSession }) {
  const { began, date, length, messages, place } = session;
  const now = useToday();
  const lines = [[relativeDay(began, now), date, timeOfDay(began)], [length, messages], [place]];
  const shown = lines.map((parts) => parts.filter((part) => part !== "").join(", "));
  return shown.filter(Boolean).map((line, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the lines never change places
    <span key={index} className="block text-sm text-muted tabular-nums [overflow-wrap:anywhere]">
      {line}
    </span>
  ));
}
