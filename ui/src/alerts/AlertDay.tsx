import { Trans } from "@lingui/react/macro";

import { nearDay, relativeDay, shortDate } from "../format/dates";
import { useToday } from "../ui/now";

/** 'Today', 'Yesterday', or the date. */
export function AlertDay({ at }: { at: string }) {
  const today = useToday();
  return <time dateTime={at}>{relativeDay(at, today) || shortDate(at, today)}</time>;
}

/** The day on which Porchlight learned of an alert. */
export function NoticedOn({ at }: { at: string }) {
  const today = useToday();
  const date = shortDate(at, today);
  switch (nearDay(at, today)) {
    case "today":
      return (
        <Trans>
          Noticed <time dateTime={at}>today</time>
        </Trans>
      );
    case "yesterday":
      return (
        <Trans>
          Noticed <time dateTime={at}>yesterday</time>
        </Trans>
      );
    case "tomorrow":
    case null:
      return (
        <Trans>
          Noticed <time dateTime={at}>{date}</time>
        </Trans>
      );
  }
}
