import { relativeDay, shortDate } from "../format/dates";
import { useToday } from "../ui/now";

/** 'Today', 'Yesterday', or the date. */
export function AlertDay({ at, isInSentence = false }: { at: string; isInSentence?: boolean }) {
  const today = useToday();
  const day = relativeDay(at, today);
  return <time dateTime={at}>{(isInSentence ? day.toLowerCase() : day) || shortDate(at, today)}</time>;
}
