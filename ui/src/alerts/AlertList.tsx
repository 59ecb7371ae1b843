import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { BellIcon } from "lucide-react";
import { useCallback, useEffect, useId, useRef, useState } from "react";

import { AlertDay } from "./AlertDay";
import { AlertItem } from "./AlertItem";
import { ChooseHow } from "./ChooseHow";
import { DealtWithAll, areMany } from "./DealtWithAll";
import { NotWorryingConcerns } from "./NotWorrying";
import { useOpenedAlert } from "./opened-alert";
import { type AlertGroup, inGroups, isUrgent } from "./order";
import { PAGE, useAlerts, useNoteSeen, usePhrases } from "./queries";
import { type AnyAlert, rings } from "./sentences";
import { errorMessage } from "../api/problem";
import { QueryView } from "../api/QueryView";
import { pleaseLookNow } from "../children/attention";
import type { Child } from "../children/children";
import { ConnectFirst } from "../children/ConnectFirst";
import { capitalized } from "../format/dates";
import { unreadableSentence } from "../format/unreadable";
import { paths } from "../paths";
import { EmptyState } from "../ui/EmptyState";
import { useFocusOnEarlier } from "../ui/focus";
import { QuietLine } from "../ui/QuietLine";
import { ShowEarlier } from "../ui/ShowEarlier";
import { Skeleton } from "../ui/Skeleton";
import { useSeen } from "../ui/seen";
import { TextLink } from "../ui/TextLink";

/** A child's alerts by day. Opening the list marks them as seen. */
export function AlertList({ child }: { child: Child }) {
  const query = useAlerts(child.child_id);
  const markAsSeen = useMarkAsSeen(child, query);
  const watchesNothing = usePhrases(child.child_id).data?.length === 0;
  return (
    <div className="flex flex-col gap-5">
      <QueryView
        query={query}
        loading={{ skeleton: listSkeleton }}
        empty={({ alerts, unreadable }) =>
          alerts.length === 0 && !query.hasNextPage && noAlerts(child, unreadable, watchesNothing)
        }
      >
        {({ alerts, unreadable }) => (
          <Groups
            child={child}
            alerts={alerts}
            unreadable={unreadable}
            query={query}
            markAsSeen={markAsSeen}
          />
        )}
      </QueryView>
      <NotWorryingConcerns child={child} />
      <div className="flex flex-wrap items-center justify-between gap-x-6 border-t border-line pt-2 text-sm">
        <p className="text-muted">
          <Trans>Porchlight is not an emergency service.</Trans>
        </p>
        <ChooseHow childId={child.child_id} />
      </div>
    </div>
  );
}

function noAlerts({ child_id: childId }: Child, unreadable: number, watchesNothing: boolean) {
  return (
    <EmptyState
      icon={<BellIcon className="size-10" />}
      action={
        <>
          {watchesNothing && (
            <TextLink to={paths.phrases(childId)}>
              <Trans>Phrases you watch for</Trans>
            </TextLink>
          )}
          <ConnectFirst childId={childId} />
        </>
      }
    >
      {unreadableSentence(unreadable, "record") ?? t`No alerts so far.`}
    </EmptyState>
  );
}

interface GroupsProps {
  child: Child;
  alerts: readonly AnyAlert[];
  unreadable: number;
  query: ReturnType<typeof useAlerts>;
  /** Null if all are seen. */
  markAsSeen: (() => void) | null;
}

function Groups({ child, alerts, unreadable, query, markAsSeen }: GroupsProps) {
  const { data: watched } = usePhrases(child.child_id);
  const isNew = useRemembered(alerts, ({ unseen }) => unseen);
  // Only of the newest page, so that an old one doesn't jump to the top when it is loaded; and as long as the page is open,
  // so that none moves when the guardian finds it not worrying.
  const isFirst = useRemembered(alerts.slice(0, PAGE), isUrgent);
  const { list, showEarlier } = useFocusOnEarlier<HTMLDivElement>(alerts.length, query, "[data-alert]");
  useSeen(list, markAsSeen);
  useOpenedAlert(alerts, query);
  const groups = inGroups(alerts, isFirst);
  const isOffered = areMany(alerts);
  return (
    <div ref={list} className="flex flex-col gap-5">
      <QuietLine sentence={unreadableSentence(unreadable, "record")} />
      {groups.map((group) => (
        <Group
          key={group.day === null ? "now" : new Date(group.day).toDateString()}
          childId={child.child_id}
          group={group}
          isOffered={isOffered}
        >
          {(alert) => (
            <AlertItem
              key={alert.alert_id}
              child={child}
              alert={alert}
              isNew={rings(alert) && isNew.has(alert.alert_id)}
              showsDay={group.day === null}
              watched={watched}
            />
          )}
        </Group>
      ))}
      <ShowEarlier
        query={query}
        error={query.isFetchNextPageError ? errorMessage(query.error) : null}
        onShow={() => void showEarlier()}
      />
    </div>
  );
}

interface GroupProps {
  childId: number;
  group: AlertGroup;
  /** Whether the group's alerts can be dealt with together. */
  isOffered: boolean;
  children: (alert: AnyAlert) => React.ReactNode;
}

function Group({ childId, group: { day, alerts }, isOffered, children }: GroupProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id={id} className={`font-bold ${day === null ? "text-danger" : ""}`}>
          {day === null ? capitalized(pleaseLookNow()) : <AlertDay at={day} />}
        </h2>
        {day !== null && (
          <DealtWithAll childId={childId} alerts={alerts} isOffered={isOffered} describedBy={id} />
        )}
      </div>
      <ul aria-labelledby={id} className="flex flex-col gap-3">
        {alerts.map(children)}
      </ul>
    </section>
  );
}

/** The ids of the alerts of which something was so when this visit first showed them. */
function useRemembered(alerts: readonly AnyAlert[], isSo: (alert: AnyAlert) => boolean): ReadonlySet<number> {
  const [known, setKnown] = useState<ReadonlySet<number>>(new Set());
  const added = alerts.filter((alert) => isSo(alert) && !known.has(alert.alert_id));
  if (added.length === 0) return known;
  const next = new Set([...known, ...added.map(({ alert_id: id }) => id)]);
  setKnown(next);
  return next;
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
