import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import { FiguresTable } from "./FiguresTable";
import type { Reviewer } from "./words";
import type { Child } from "../children/children";
import { Disclosure } from "../ui/Disclosure";

interface DetailsProps {
  child: Child;
  reviewer: Reviewer;
}

/** What is sent when, who decides, and the figures of the test. */
export function Details({ child: { name }, reviewer: { figures } }: DetailsProps) {
  return (
    <Disclosure summary={t`Details`} className="max-w-[65ch] border-y border-line">
      <div className="flex flex-col gap-3 pb-4">
        <p>
          <Trans>
            Each conversation is sent when it has ended, and every 30 minutes of a long one, with the topics
            that you block. Earlier and deleted conversations are not sent.
          </Trans>
        </p>
        <p>
          <Trans>
            Any guardian of <bdi>{name}</bdi> can switch it off at once. If the AI or its server changes, it
            switches off.
          </Trans>
        </p>
        {figures !== undefined && <FiguresTable figures={figures} />}
      </div>
    </Disclosure>
  );
}
