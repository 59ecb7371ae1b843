import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { CheckIcon } from "lucide-react";

import { QueryView } from "../api/QueryView";
import type { Child } from "../children/children";
import { ConnectLink } from "../children/ConnectFirst";
import { plainText } from "../format/plain-text";
import { type AssistantReceipt, isAdded, isInPrompt, reportOf, sorted, useReceipts } from "../rules/receipts";
import { Disclosure } from "../ui/Disclosure";
import { Skeleton } from "../ui/Skeleton";
import { Section } from "../ui/Section";

/** What each of the child's assistants reports about this list, and to whose prompts Porchlight added it. */
export function WhoFollows({ child: { child_id: childId } }: { child: Child }) {
  const query = useReceipts(childId);
  return (
    <Section heading={t`Who has this list?`} className="flex max-w-[68ch] flex-col gap-2 pt-3">
      <QueryView query={query} loading={{ skeleton: reportsSkeleton }}>
        {({ data }) => <Reports childId={childId} assistants={data.assistants} />}
      </QueryView>
    </Section>
  );
}

interface ReportsProps {
  childId: number;
  assistants: readonly AssistantReceipt[];
}

function Reports({ childId, assistants }: ReportsProps) {
  const now = new Date();
  if (assistants.length === 0) {
    return (
      <div className="flex flex-col items-start gap-3">
        <p className="text-muted">
          <Trans>No assistant connected.</Trans>
        </p>
        <ConnectLink childId={childId} />
      </div>
    );
  }
  return (
    <>
      <ul className="divide-y divide-line">
        {sorted(assistants).map((assistant, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two assistants can have one name
          <Line key={`${index} ${assistant.name}`} assistant={assistant} now={now} />
        ))}
      </ul>
      {assistants.some(isAdded) && (
        <p className="text-sm text-muted">
          <Trans>Porchlight can&apos;t tell whether the AI obeyed, or cut part of the prompt off.</Trans>
        </p>
      )}
      {!assistants.every(isAdded) && (
        <Disclosure summary={t`How do we know?`} summaryClassName="text-sm text-muted">
          <p className="text-sm text-muted">
            <Trans>Each assistant reports this itself, except where Porchlight added the list.</Trans>{" "}
            {assistants.some(isInPrompt) &&
              t`With a check mark, the assistant looked into the AI's prompt and found your list there.`}
          </p>
        </Disclosure>
      )}
    </>
  );
}

/** One line: the assistant, whether it has the list, and since when. */
function Line({ assistant, now }: { assistant: AssistantReceipt; now: Date }) {
  const { status, details, needsAttention, isProved } = reportOf(assistant, now);
  return (
    <li className="flex flex-wrap items-baseline gap-x-2 py-1.5 [overflow-wrap:anywhere]">
      <bdi className="font-bold">{plainText(assistant.name)}</bdi>{" "}
      <span className={needsAttention ? "font-bold text-danger" : ""}>
        {status}
        {isProved && <CheckIcon className="ms-1 inline size-4 align-[-0.125em]" />}
      </span>
      {details !== "" && (
        <>
          {" "}
          <span className="text-sm text-muted">{details}</span>
        </>
      )}
    </li>
  );
}

const reportsSkeleton = <Skeleton shapes={["h-5 max-w-md", "h-5 max-w-sm"]} />;
