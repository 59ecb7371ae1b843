/** The order in which alerts are listed. */
import { type AnyAlert, dayOf } from "./sentences";
import { sameDay } from "../format/dates";

export interface AlertGroup {
  /** A time of the day that is shown for all of them; null for what asks to be looked at now. */
  day: string | null;
  alerts: readonly AnyAlert[];
}

/** What a model calls urgent, until the guardian has dealt with it or finds it not worrying. */
export function isUrgent({ flagged, dealt_with: isDone }: Pick<AnyAlert, "flagged" | "dealt_with">): boolean {
  return flagged?.severity === "urgent" && !flagged.not_worrying && !isDone;
}

/** First those of `first`, then each day's, the newest day first. Within a group urgent ones come first, then the newest. */
export function inGroups(alerts: readonly AnyAlert[], first: ReadonlySet<number>): AlertGroup[] {
  const sorted = [...alerts].sort(
    (one, other) => Date.parse(dayOf(other)) - Date.parse(dayOf(one)) || other.alert_id - one.alert_id,
  );
  const isFirst = ({ alert_id: id }: AnyAlert) => first.has(id);
  const groups: { day: string | null; alerts: AnyAlert[] }[] = [];
  if (sorted.some(isFirst)) groups.push({ day: null, alerts: sorted.filter(isFirst) });
  for (const alert of sorted.filter((each) => !isFirst(each))) {
    const day = dayOf(alert);
    const last = groups.at(-1);
    if (last !== undefined && last.day !== null && sameDay(last.day, day)) last.alerts.push(alert);
    else groups.push({ day, alerts: [alert] });
  }
  return groups.map((group) => ({ ...group, alerts: urgentFirst(group.alerts) }));
}

export function urgentFirst(alerts: readonly AnyAlert[]): AnyAlert[] {
  return [...alerts.filter(isUrgent), ...alerts.filter((alert) => !isUrgent(alert))];
}
