import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import { useChanges } from "./queries";
import { type Try, isOver } from "./sentences";
import { failureSentence } from "../api/problem";
import { Failure } from "../api/Failure";
import type { Child } from "../children/children";
import { BUSY, Button } from "../ui/Button";
import { Confirmation } from "../ui/Confirmation";

interface StopOrHideProps {
  child: Child;
  one: Try;
  /** Called before it is hidden. */
  onRemove?: () => void;
  /** Called once it is hidden. */
  onRemoved?: () => void;
}

/** Stops one's own try while it waits or runs, and hides one that is over. */
export function StopOrHide({ child, one, onRemove, onRemoved }: StopOrHideProps) {
  const { remove } = useChanges(child.child_id);
  const [isAsking, setAsking] = useState(false);
  const ids = { childId: child.child_id, tryId: one.try_id };
  if (!isOver(one)) {
    if (one.by?.is_you !== true) return null;
    return (
      <div className="flex flex-col items-start gap-2">
        <Button look="plain" busy={remove.isPending} busyLabel={BUSY} onClick={() => remove.mutate(ids)}>
          {t`Stop`}
        </Button>
        <Failure error={remove.error} />
      </div>
    );
  }
  const hide = () => {
    onRemove?.();
    remove.mutate(ids, { onSuccess: onRemoved });
  };
  return (
    <>
      <Button look="quiet" className="-mx-4" onClick={() => setAsking(true)}>
        {t`Hide`}
      </Button>
      {isAsking && (
        <Confirmation
          title={t`Hide`}
          action={t`Hide`}
          busyLabel={BUSY}
          busy={remove.isPending}
          failure={failureSentence(remove.error)}
          onConfirm={hide}
          onClose={() => setAsking(false)}
        >
          <Trans>You won’t see it any more. Other guardians still see it.</Trans>
        </Confirmation>
      )}
    </>
  );
}
