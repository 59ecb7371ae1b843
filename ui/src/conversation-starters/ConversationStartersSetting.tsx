import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useId } from "react";

import { useSwitch } from "./starters";
import { Failure } from "../api/Failure";
import { useGetConversationStarters } from "../api/generated/client/curious/curious";
import { QueryView } from "../api/QueryView";
import type { Child } from "../children/children";
import { Button } from "../ui/Button";
import { Skeleton } from "../ui/Skeleton";
import { Section } from "../ui/Section";

/** Turns what the child was curious about on or off, for all guardians. */
export function ConversationStartersSetting({ child }: { child: Child }) {
  const query = useGetConversationStarters(child.child_id);
  const { name } = child;
  const heading = useId();
  const turn = useSwitch(child.child_id);
  return (
    <Section heading={t`Something to talk about`} id={heading} className="flex flex-col items-start gap-2">
      <p className="max-w-[65ch]">
        <Trans>
          For all guardians, Summary names up to three things that <bdi>{name}</bdi> asked about this week.
        </Trans>
      </p>
      <QueryView query={query} loading={{ skeleton: <Skeleton shapes={["h-11 max-w-56"]} /> }}>
        {({ data: { on } }) => (
          <Button
            look="plain"
            about={heading}
            busy={turn.isPending}
            onClick={() => turn.mutate({ childId: child.child_id, data: { on: !on } })}
          >
            {on ? t`Switch off` : t`Switch on`}
          </Button>
        )}
      </QueryView>
      <Failure error={turn.error} />
    </Section>
  );
}
