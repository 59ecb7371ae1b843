import { plural } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import { useDealWith } from "./not-worrying";
import { type AnyAlert, rings } from "./sentences";
import { Failure } from "../api/Failure";
import { Button } from "../ui/Button";
import { useFocusAfterUndo } from "../ui/focus";
import { UndoLine } from "../ui/UndoLine";

interface DealtWithProps {
  childId: number;
  alert: AnyAlert;
  describedBy: string;
}

export function dealtWith(count: number): string {
  return plural(count, { one: "You've dealt with it.", other: "You've dealt with # alerts." });
}

/** Says that the guardian has dealt with an alert that rings, or undoes it. */
export function DealtWith({ childId, alert, describedBy }: DealtWithProps) {
  const { alert_id: alertId, dealt_with: isDone } = alert;
  const change = useDealWith(childId);
  const { area, press } = useFocusAfterUndo<HTMLDivElement>(isDone);
  const put = (isSo: boolean) => {
    press();
    change.mutate({ alertId, isSo });
  };
  if (!rings(alert) && !isDone) return null;
  return (
    <div ref={area} className={isDone ? "basis-full px-4 forced-colors:px-0" : ""}>
      {isDone ? (
        <UndoLine disabled={change.isPending} onUndo={() => put(false)}>
          {dealtWith(1)}
        </UndoLine>
      ) : (
        <Button
          look="quiet"
          className="-outline-offset-2"
          aria-describedby={describedBy}
          busy={change.isPending}
          onClick={() => put(true)}
        >
          <Trans>I&apos;ve dealt with it</Trans>
        </Button>
      )}
      <Failure error={change.error} />
    </div>
  );
}
