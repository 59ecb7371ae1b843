import { BellIcon } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";

import { AlertItem } from "./AlertItem";
import { NotWorryingConcerns } from "./NotWorrying";
import { useOpenedAlert } from "./opened-alert";
import { errorTexts, useAlerts, useNoteSeen, usePhrases } from "./queries";
import { type AnyAlert, rings } from "./sentences";
import { WatchedPhrases } from "./WatchedPhrases";
import { errorMessage } from "../api/problem";
import { QueryView } from "../api/QueryView";
import { childPage } from "../children/child-page";
import type { Child } from "../children/children";
import { ConnectFirst } from "../children/ConnectFirst";
import { unreadableSentence } from "../format/unreadable";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { useFocusOnEarlier } from "../ui/focus";
import { PageHeading } from "../ui/PageHeading";
import { QuietLine } from "../ui/QuietLine";
import { ShowEarlier } from "../ui/ShowEarlier";
import { Skeleton } from "../ui/Skeleton";
import { useSeen } from "../ui/seen";

export const AlertsPage = childPage("Alerts", ChildAlerts);

/** A child's alerts, and the phrases that this guardian watches for. */
function ChildAlerts({ child }: { child: Child }) {
  const query = useAlerts(child.child_id);
  const markAsSeen = useMarkAsSeen(child, query);
  const phrases = useRef<HTMLHeadingElement>(null);
  const watchesNothing = usePhrases(child.child_id).data?.length === 0;
  return (
    <div className="flex flex-col gap-8">
      <div className="flex flex-col gap-2">
        <PageHeading>{`Alerts for ${child.name}`}</PageHeading>
        <p className="max-w-[65ch]">
          Words that you watch for, what an AI reader points at if you use one, and things that went wrong,
          each with where it happened. <strong>Porchlight is not an emergency service.</strong>
        </p>
        <Button
          look="quiet"
          className="-ml-4 self-start underline underline-offset-4 forced-colors:ml-0"
          onClick={() => {
            phrases.current?.scrollIntoView();
            phrases.current?.focus({ preventScroll: true });
          }}
        >
          Go to your phrases
        </Button>
      </div>
      <QueryView
        query={query}
        loading={{ sentence: `Loading alerts for ${child.name}...`, skeleton: listSkeleton }}
        errorText={errorTexts.list}
        empty={({ alerts, unreadable }) =>
          alerts.length === 0 && !query.hasNextPage && noAlerts(child, unreadable, watchesNothing)
        }
      >
        {({ alerts, unreadable }) => (
          <AlertList
            child={child}
            alerts={alerts}
            unreadable={unreadable}
            query={query}
            markAsSeen={markAsSeen}
          />
        )}
      </QueryView>
      <NotWorryingConcerns child={child} next={phrases} />
      <WatchedPhrases child={child} heading={phrases} />
    </div>
  );
}

function noAlerts({ child_id: childId }: Child, unreadable: number, watchesNothing: boolean) {
  const none = watchesNothing
    ? "No alerts so far. You don't watch for any phrase yet; choose some below."
    : "No alerts so far.";
  return (
    <EmptyState icon={<BellIcon className="size-10" />} action={<ConnectFirst childId={childId} />}>
      {unreadableSentence(unreadable, "alert") ?? none}
    </EmptyState>
  );
}

interface AlertListProps {
  child: Child;
  alerts: readonly AnyAlert[];
  unreadable: number;
  query: ReturnType<typeof useAlerts>;
  /** Null if all are seen. */
  markAsSeen: (() => void) | null;
}

function AlertList({ child, alerts, unreadable, query, markAsSeen }: AlertListProps) {
  const { data: watched } = usePhrases(child.child_id);
  const isNew = useIsNew(alerts);
  const { list, showEarlier } = useFocusOnEarlier<HTMLUListElement>(alerts.length, query);
  useSeen(list, markAsSeen);
  useOpenedAlert(alerts, query);
  return (
    <div className="flex flex-col gap-3">
      <QuietLine sentence={unreadableSentence(unreadable, "alert")} />
      <ul ref={list} aria-label="Alerts" className="flex flex-col gap-3">
        {alerts.map((alert) => (
          <AlertItem
            key={alert.alert_id}
            child={child}
            alert={alert}
            isNew={rings(alert) && isNew(alert)}
            watched={watched}
          />
        ))}
      </ul>
      <ShowEarlier
        query={query}
        error={query.isFetchNextPageError ? errorMessage(query.error, errorTexts.list) : null}
        label="Show earlier alerts"
        onShow={() => void showEarlier()}
      />
    </div>
  );
}

/** Whether an alert was unseen when this visit first showed it. It stays new after it was marked as seen. */
function useIsNew(alerts: readonly AnyAlert[]): (alert: AnyAlert) => boolean {
  const [shown, setShown] = useState<ReadonlySet<number>>(new Set());
  const added = alerts.filter(({ unseen, alert_id: id }) => unseen && !shown.has(id));
  if (added.length > 0) setShown(new Set([...shown, ...added.map(({ alert_id: id }) => id)]));
  return ({ unseen, alert_id: id }) => unseen || shown.has(id);
}

const noAlertsYet: readonly AnyAlert[] = [];

/**
 * Marks the alerts of a page that was just opened as seen. Returns what does the same for those that arrive later; null without
 * any. These count as seen once somebody uses the page.
 */
function useMarkAsSeen(
  { child_id: childId }: Child,
  { data, isFetchedAfterMount: isFetched }: ReturnType<typeof useAlerts>,
): (() => void) | null {
  const alerts = data?.alerts ?? noAlertsYet;
  const { mutate, variables = 0, isError } = useNoteSeen(childId);
  const newest = alerts.some(({ unseen }) => unseen) ? Math.max(...alerts.map((alert) => alert.alert_id)) : 0;
  const isOpened = useRef(false);
  useEffect(() => {
    if (isOpened.current || !isFetched) return;
    isOpened.current = true;
    if (newest > 0 && document.visibilityState === "visible") mutate(newest);
  }, [newest, isFetched, mutate]);
  const note = useCallback(() => mutate(newest), [mutate, newest]);
  return newest > variables || (isError && newest > 0) ? note : null;
}

const listSkeleton = <Skeleton shapes={["h-36", "h-36", "h-36"]} className="flex-col gap-3" />;
