import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import { dealtWith } from "./DealtWith";
import { useDealWithAll } from "./not-worrying";
import { isUrgent } from "./order";
import { type AnyAlert, rings } from "./sentences";
import { Failure } from "../api/Failure";
import { Button } from "../ui/Button";
import { useFocusAfterUndo } from "../ui/focus";
import { UndoLine } from "../ui/UndoLine";

/** Up to this number each is dealt with singly. */
const MAX_SINGLY = 10;

/** Open alerts that a guardian can deal with together: each urgent one asks for an answer of its own. */
export function openTogether(alerts: readonly AnyAlert[]): AnyAlert[] {
  return alerts.filter((alert) => rings(alert) && !alert.dealt_with && !isUrgent(alert));
}

/** Whether so many alerts are open that those of a day can be dealt with together. */
export function areMany(alerts: readonly AnyAlert[]): boolean {
  return alerts.filter((alert) => rings(alert) && !alert.dealt_with).length > MAX_SINGLY;
}

interface DealtWithAllProps {
  childId: number;
  /** The day's alerts on the page. */
  alerts: readonly AnyAlert[];
  isOffered: boolean;
  /** The day's heading. */
  describedBy: string;
}

/** Says that the guardian has dealt with a day's alerts, or undoes it. */
export function DealtWithAll({ childId, alerts, isOffered, describedBy }: DealtWithAllProps) {
  const { change, progress } = useDealWithAll(childId);
  const [done, setDone] = useState<readonly number[]>([]);
  const open = openTogether(alerts).map(({ alert_id: id }) => id);
  const { length: count } = done;
  const isDone = count > 0;
  const { area, press } = useFocusAfterUndo<HTMLDivElement>(isDone);
  const put = (ids: readonly number[], isSo: boolean) => {
    press();
    change.mutate({ ids, isSo }, { onSuccess: () => setDone(isSo ? ids : []) });
  };
  if (change.isIdle && !(isOffered && open.length > 1)) return null;
  return (
    <div ref={area} className={isDone ? "basis-full" : ""}>
      {isDone ? (
        <UndoLine disabled={change.isPending} onUndo={() => put(done, false)}>
          {dealtWith(count)}
        </UndoLine>
      ) : (
        <Button
          look="quiet"
          aria-describedby={describedBy}
          busy={change.isPending}
          onClick={() => put(open, true)}
        >
          <Trans>I&apos;ve dealt with all of these</Trans>
        </Button>
      )}
      <p role="status" className="text-sm text-muted empty:hidden">
        {progress !== null && t`${{ done: progress.done }} of ${{ all: progress.all }}`}
      </p>
      <Failure error={change.error} />
    </div>
  );
}
