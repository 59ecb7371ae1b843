import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import { VERDICT } from "./WhereItGoes";
import { type useSwitches } from "./queries";
import { type Reviewer, afterEverybody } from "./words";
import { Failure } from "../api/Failure";
import type { Child } from "../children/children";
import { OfferPage } from "../identity/OfferPage";
import { isolated } from "../format/isolated";
import { plainText } from "../format/plain-text";
import { runsWhere } from "../format/runs-where";
import { BUSY, Button } from "../ui/Button";
import { Confirmation } from "../ui/Confirmation";

/** The id of what the administrator must do first. */
export const TO_SET_UP = "reader-to-set-up";

interface SwitchOnProps {
  child: Child;
  reviewer: Reviewer;
  /** What the guardian has read about. */
  named: { model: string; host: string };
  isPrivate: boolean;
  switches: ReturnType<typeof useSwitches>;
}

/** Switches the reader on, or agrees to what another guardian switched on. It stands below what is to be read before. */
export function SwitchOn({ child, reviewer, named, isPrivate, switches }: SwitchOnProps) {
  const { child_id: childId, name } = child;
  const [isAsking, setAsking] = useState(false);
  const { state } = reviewer;
  const isAnswer = state === "waiting";
  const isUnfit = reviewer.figures?.unfit === true;
  const change = isAnswer ? switches.agree : switches.switchOn;
  if (isAnswer && reviewer.confirmed === true) return null;
  const [model, host] = [plainText(named.model), plainText(named.host)];
  const action = isAnswer ? t`Agree` : t`Switch on`;
  const close = () => setAsking(false);
  return (
    <div className="flex max-w-[65ch] flex-col items-start gap-3">
      {!isPrivate && !isAnswer && !isUnfit && <p>{afterEverybody()}</p>}
      <Button
        disabled={state === "untested" || isUnfit}
        aria-describedby={isUnfit ? VERDICT : state === "untested" ? TO_SET_UP : undefined}
        busy={change.isPending}
        onClick={() => setAsking(true)}
      >
        {action}
      </Button>
      {isAsking && (
        <Confirmation
          title={t`Switch the AI reader on for ${{ name: isolated(name) }}?`}
          action={action}
          busyLabel={BUSY}
          busy={change.isPending}
          onConfirm={() => change.mutate({ childId, data: named }, { onSettled: close })}
          onClose={close}
        >
          <Trans>
            Every word of <bdi>{name}</bdi>&apos;s conversations will go to the AI <bdi>{model}</bdi> at{" "}
            <bdi>{host}</bdi>.
          </Trans>{" "}
          <strong>{runsWhere(isPrivate)}.</strong>
        </Confirmation>
      )}
      <Failure error={change.error} />
      {!isUnfit && <OfferPage childId={childId} name={name} />}
    </div>
  );
}
