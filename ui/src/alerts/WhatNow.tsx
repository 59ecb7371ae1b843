import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import { type HelpTopic, helpSteps, numberIn } from "./help";
import { useGetChildNotice } from "../api/generated/client/children/children";
import { QueryView } from "../api/QueryView";
import type { Child } from "../children/children";
import { Skeleton } from "../ui/Skeleton";
import { TextLink } from "../ui/TextLink";
import { Disclosure } from "../ui/Disclosure";

interface WhatNowProps {
  child: Child;
  topic: HelpTopic;
  describedBy?: string;
}

/** What a guardian can do about what was said, with somebody to call. */
export function WhatNow({ child, topic, describedBy }: WhatNowProps) {
  const { child_id: childId, name } = child;
  const [isOpen, setOpen] = useState(false);
  return (
    <Disclosure
      summary={t`What can I do now?`}
      summaryClassName="font-bold text-primary underline underline-offset-4"
      {...(describedBy !== undefined && { describedBy })}
      onToggle={setOpen}
    >
      {isOpen && (
        <div className="flex max-w-[65ch] flex-col gap-3 pb-2">
          <p>
            <Trans>Read the conversation first. It may be a game, a story or homework.</Trans>
          </p>
          <ul className="flex list-disc flex-col gap-1.5 ps-5">
            {helpSteps(topic, name).map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ul>
          <Helpline childId={childId} />
          <p>
            <strong>
              <Trans>
                If <bdi>{name}</bdi> is in danger now, call your emergency number.
              </Trans>
            </strong>{" "}
            <Trans>Porchlight is not an emergency service.</Trans>
          </p>
        </div>
      )}
    </Disclosure>
  );
}

/** The administrator's, which also stands on the child's page. */
function Helpline({ childId }: { childId: number }) {
  const query = useGetChildNotice(childId, { query: { select: ({ data }) => data } });
  return (
    <QueryView query={query} loading={{ skeleton: <Skeleton shapes={["h-5 max-w-64"]} /> }}>
      {({ helpline }) => (
        <p>
          {helpline === undefined ? (
            <Trans>Your doctor, the school or a helpline for families can help you with the next step.</Trans>
          ) : (
            <Call helpline={helpline} />
          )}{" "}
          <Trans>You don&apos;t have to be sure to call.</Trans>
        </p>
      )}
    </QueryView>
  );
}

function Call({ helpline }: { helpline: string }) {
  const number = numberIn(helpline);
  if (number === null) {
    return (
      <Trans>
        Somebody to talk with: <strong>{helpline}</strong>.
      </Trans>
    );
  }
  return (
    <Trans>
      Somebody to talk with:{" "}
      <TextLink isInline href={`tel:${number}`}>
        {helpline}
      </TextLink>
      .
    </Trans>
  );
}
