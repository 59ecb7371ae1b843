import { AlertDay } from "./AlertDay";
import { isUrgent, urgentFirst } from "./order";
import { errorTexts, useNewestAlerts, useUnseen } from "./queries";
import { type AnyAlert, alertSentence, dayOf, newCount, rings } from "./sentences";
import { UrgentMark, urgentClass } from "./Urgent";
import { errorMessage } from "../api/problem";
import type { Child } from "../children/children";
import { paths } from "../paths";
import { QuietLine } from "../ui/QuietLine";
import { TextLink } from "../ui/TextLink";
import { Notice } from "../ui/Notice";

/** The most alerts on Summary. */
const SHOWN = 2;

/** A child's unseen alerts that count in the bell. */
function useNewAlerts(childId: number) {
  const { unseen, error, errorUpdatedAt } = useUnseen(childId);
  const list = useNewestAlerts(childId, unseen !== null && unseen > 0);
  const alerts: AnyAlert[] = list.data?.data.alerts ?? [];
  const isLoading = unseen === null ? errorUpdatedAt === 0 : unseen > 0 && list.isLoading;
  return {
    unseen,
    newest: urgentFirst(alerts.filter((alert) => alert.unseen && rings(alert))).slice(0, SHOWN),
    failure: unseen === null ? error : list.data === undefined ? list.error : null,
    isLoading,
  };
}

/** Whether the alerts on Summary are still being loaded for the first time. */
export function useAlertsLoading(childId: number): boolean {
  return useNewAlerts(childId).isLoading;
}

/** The newest alerts on Summary, or that there are none. */
export function NewestAlerts({ child }: { child: Child }) {
  const { unseen, newest, failure } = useNewAlerts(child.child_id);
  if (unseen === null || failure !== null)
    return failure === null ? null : <QuietLine sentence={errorMessage(failure, errorTexts.list)} />;
  const link = (
    <TextLink to={paths.alerts(child.child_id)}>
      {unseen === 0 ? "Alerts and watched phrases" : `All alerts (${newCount(unseen)})`}
    </TextLink>
  );
  if (unseen === 0) {
    return (
      <section aria-label="Alerts" className="flex flex-wrap items-center gap-x-4 print:hidden">
        <p className="text-muted">No new alerts</p>
        {link}
      </section>
    );
  }
  return (
    <Notice aria-label="Alerts" className="pt-3 pb-1 print:hidden">
      <ul className="flex flex-col gap-3">
        {newest.map((alert) => (
          <li
            key={alert.alert_id}
            className={isUrgent(alert) ? `-mx-2 rounded-control border px-2 py-1.5 ${urgentClass}` : ""}
          >
            <p className="flex flex-wrap items-center gap-x-2.5 text-sm text-muted">
              {isUrgent(alert) && <UrgentMark />}
              <AlertDay at={dayOf(alert)} />
            </p>
            <p className="font-bold">{alertSentence(alert, child.name)}</p>
          </li>
        ))}
      </ul>
      {link}
    </Notice>
  );
}
