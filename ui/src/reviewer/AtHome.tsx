import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import { type useSwitches } from "./queries";
import type { Reviewer } from "./words";
import { Failure } from "../api/Failure";
import { authorInSentence } from "../children/author";
import type { Child } from "../children/children";
import { BUSY, Button } from "../ui/Button";
import { Confirmation } from "../ui/Confirmation";
import { Section } from "../ui/Section";

interface AtHomeProps {
  child: Child;
  reviewer: Reviewer;
  change: ReturnType<typeof useSwitches>["atHome"];
}

/** Whether all guardians get alerts if the child is hurt at home. */
export function AtHome({ child, reviewer, change }: AtHomeProps) {
  const { child_id: childId, name } = child;
  const { at_home: isOn, at_home_by: by } = reviewer;
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const decide = (on: boolean) => change.mutate({ childId, data: { on } }, { onSettled: close });
  return (
    <Section heading={t`Hurt or threatened at home`} className="flex max-w-[65ch] flex-col items-start gap-3">
      <p>
        <Trans>
          If somebody at home may hurt or threaten <bdi>{name}</bdi>, no guardian gets an alert: the one whom
          it is about could be the first to read it. If a guardian asks for these alerts,{" "}
          <strong>all guardians see them, also the one whom such an alert is about</strong>, and who asked.
        </Trans>
      </p>
      {isOn && (
        <p role="status" className="[overflow-wrap:anywhere]">
          <Trans>Asked for by {{ name: authorInSentence(by ?? { is_you: false }) }}.</Trans>
        </p>
      )}
      <Button look="plain" busy={change.isPending} onClick={() => (isOn ? decide(false) : setAsking(true))}>
        {isOn ? t`End these alerts` : t`Ask for these alerts`}
      </Button>
      {isAsking && (
        <Confirmation
          title={t`Ask for these alerts`}
          action={t`Ask for these alerts`}
          busyLabel={BUSY}
          busy={change.isPending}
          onConfirm={() => decide(true)}
          onClose={close}
        >
          <Trans>
            All of <bdi>{name}</bdi>&apos;s guardians will see them, also the one whom such an alert is about.
            Ask for them only if <bdi>{name}</bdi> has nothing to fear from that.
          </Trans>
        </Confirmation>
      )}
      <Failure error={change.error} />
    </Section>
  );
}
