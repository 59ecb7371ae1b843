import { relativeDay, shortDate } from "../format/dates";
import { useToday } from "../ui/now";

/** 'Today', 'Yesterday', or the date. */
export function AlertDay({ at }: { at: string }) {
  const today = useToday();
  return <time dateTime={at}>{relativeDay(at, today) || shortDate(at, today)}</time>;
}
