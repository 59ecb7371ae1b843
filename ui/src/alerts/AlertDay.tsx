import { Trans } from "@lingui/react/macro";

import { nearDayInSentence, relativeDay, shortDate } from "../format/dates";
import { useToday } from "../ui/now";

/** 'Today', 'Yesterday', or the date. */
export function AlertDay({ at }: { at: string }) {
  const today = useToday();
  return <time dateTime={at}>{relativeDay(at, today) || shortDate(at, today)}</time>;
}

/** The day on which Porchlight learned of an alert. */
export function NoticedOn({ at }: { at: string }) {
  const today = useToday();
  const day = nearDayInSentence(at, today) ?? shortDate(at, today);
  return (
    <Trans>
      Noticed <time dateTime={at}>{day}</time>
    </Trans>
  );
}
