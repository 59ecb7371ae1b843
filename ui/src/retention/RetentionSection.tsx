import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { Failure } from "../api/Failure";
import {
  getGetRequestsQueryKey,
  useChooseRetention,
  useGetRetention,
  useStopRequest,
} from "../api/generated/client/household/household";
import type { components } from "../api/generated/schema";
import { failureSentence } from "../api/problem";
import { QueryView } from "../api/QueryView";
import { ifCancelled } from "../api/step-up";
import { type ChildRequest, extentSentence, requestSentence } from "../children/child-request";
import type { Child } from "../children/children";
import {
  type RetentionDays,
  forHowLong,
  isShorter,
  retentionChoices,
  retentionName,
  olderAreDeleted,
  wouldDelete,
} from "../format/retention";
import { Alert } from "../ui/Alert";
import { BUSY, Button } from "../ui/Button";
import { Confirmation } from "../ui/Confirmation";
import { Skeleton } from "../ui/Skeleton";
import { Section } from "../ui/Section";
import { RadioGroup } from "../ui/RadioGroup";

type Retention = components["schemas"]["Retention"];

/** For how long the child's conversations are kept. */
export function RetentionSection({ child }: { child: Child }) {
  const query = useGetRetention(child.child_id, { query: { select: ({ data }) => data } });
  return (
    <Section heading={t`How long conversations are kept`} className="flex flex-col gap-4">
      <QueryView
        query={query}
        loading={{
          skeleton: <Skeleton shapes={["h-44"]} />,
        }}
      >
        {(retention) => <Period key={child.child_id} child={child} retention={retention} />}
      </QueryView>
    </Section>
  );
}

/** Refetches what a change of the period affects. */
function useInvalidate(childId: number) {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: getGetRequestsQueryKey() }),
      queries.invalidateQueries({
        predicate: ({ queryKey }) => queryKey.some((part) => isAffected(part, childId)),
      }),
    ]);
  };
}

function isAffected(part: unknown, childId: number): boolean {
  const ofChild = `/api/child/${childId}`;
  return part === `${ofChild}/retention` || part === `${ofChild}/history`;
}

function Period({ child, retention }: { child: Child; retention: Retention }) {
  const { child_id: childId, name } = child;
  const invalidate = useInvalidate(childId);
  // Shown as chosen at once, and until the response.
  const [chosen, setChosen] = useState<RetentionDays | undefined>(undefined);
  const [asking, setAsking] = useState<RetentionDays | undefined>(undefined);
  const choose = useChooseRetention({
    mutation: {
      onSuccess: async () => {
        setAsking(undefined);
        await invalidate();
      },
      onError: ifCancelled(() => setAsking(undefined)),
      onSettled: () => setChosen(undefined),
    },
  });
  const { days, pending } = retention;
  const pick = (next: RetentionDays) => {
    choose.reset();
    if (next === days) return;
    if (isShorter(next, days)) {
      setAsking(next);
      return;
    }
    setChosen(next);
    choose.mutate({ childId, data: { days: next } });
  };
  const failure = failureSentence(choose.error);
  return (
    <>
      <p className="max-w-[60ch] text-muted">{olderAreDeleted()}</p>
      <RadioGroup
        legend={t`How long conversations are kept`}
        hidesLegend
        options={retentionChoices.map((each) => ({ value: each, label: retentionName(each) }))}
        chosen={chosen === undefined ? days : chosen}
        onChoose={pick}
      />
      {retention.within_a_week > 0 && (
        <p>
          {plural(
            { count: retention.within_a_week },
            {
              one: "# conversation will be deleted in the next week.",
              other: "# conversations will be deleted in the next week.",
            },
          )}
        </p>
      )}
      {asking === undefined && failure !== null && <Alert kind="error">{failure}</Alert>}
      {pending !== undefined && <Pending child={child} request={pending} />}
      {asking !== undefined && asking !== null && (
        <Confirmation
          title={t`Keep them ${{ forHowLong: forHowLong(asking) }}`}
          action={t`Keep them ${{ forHowLong: forHowLong(asking) }}`}
          busyLabel={BUSY}
          busy={choose.isPending}
          failure={failure}
          onConfirm={() => choose.mutate({ childId, data: { days: asking } })}
          onClose={() => setAsking(undefined)}
        >
          {wouldDelete(retention.would_delete[`days_${asking}`])}{" "}
          <Trans>
            If <bdi>{name}</bdi> has another guardian, it takes effect once they agree, or seven days after
            they have seen it here.
          </Trans>
        </Confirmation>
      )}
    </>
  );
}

/** A request for a shorter time. Agreeing to it is offered on every page, above. */
function Pending({ child, request }: { child: Child; request: ChildRequest }) {
  const { child_id: childId, name } = child;
  const stop = useStopRequest({ mutation: { onSuccess: useInvalidate(childId) } });
  return (
    <div className="flex flex-col gap-2 [overflow-wrap:anywhere]">
      <p>
        {requestSentence(request, name, new Date())} {extentSentence(request, new Date())}
      </p>
      <Button
        look="plain"
        className="self-start"
        busy={stop.isPending}
        onClick={() => stop.mutate({ childId, kind: request.kind })}
      >
        <Trans>Stop it</Trans>
      </Button>
      <Failure error={stop.error} />
    </div>
  );
}
