import type { ListedSession } from "./queries";
import { relativeDay, timeOfDay } from "../format/dates";
import { useToday } from "../ui/now";

/** Date, length, number of messages and device of a session: distinguishes sessions with the same topic. */
export function SessionDetails({ session }: { session: ListedSession }) {
  const { began, date, length, messages, place } = session;
  const now = useToday();
  const lines = [[relativeDay(began, now), date, timeOfDay(began)], [length, messages], [place]];
  const shown = lines.map((parts) => parts.filter((part) => part !== "").join(", "));
  return shown.filter(Boolean).map((line, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the lines never change order
    <span key={index} className="block text-sm text-muted tabular-nums [overflow-wrap:anywhere]">
      {line}
    </span>
  ));
}
