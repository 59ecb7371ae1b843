import { useState } from "react";

import { type useSwitches } from "./queries";
import type { Reviewer } from "./words";
import { Failure } from "../api/Failure";
import { authorName } from "../children/author";
import type { Child } from "../children/children";
import { isolated } from "../format/isolated";
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
    <Section heading="Hurt or threatened at home" className="flex max-w-[65ch] flex-col items-start gap-3">
      <p>
        If somebody at home may hurt or threaten <bdi>{name}</bdi>, no guardian gets an alert: the one whom it
        is about could be the first to read it. If a guardian asks for these alerts,{" "}
        <strong>all guardians see them, also the one whom such an alert is about</strong>, and who asked.
      </p>
      {isOn && (
        <p role="status" className="[overflow-wrap:anywhere]">
          {authorName(by ?? { is_you: false })} asked for these alerts.
        </p>
      )}
      <Button look="plain" busy={change.isPending} onClick={() => (isOn ? decide(false) : setAsking(true))}>
        {isOn ? "End these alerts" : "Ask for these alerts"}
      </Button>
      {isAsking && (
        <Confirmation
          title={`Alerts if ${isolated(name)} is hurt at home?`}
          action="Ask for these alerts"
          busyLabel={BUSY}
          busy={change.isPending}
          onConfirm={() => decide(true)}
          onClose={close}
        >
          All of <bdi>{name}</bdi>&apos;s guardians will see them, also the one whom such an alert is about.
          Ask for them only if <bdi>{name}</bdi> has nothing to fear from that.
        </Confirmation>
      )}
      <Failure error={change.error} />
    </Section>
  );
}
