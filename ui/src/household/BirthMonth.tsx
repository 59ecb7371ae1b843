import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";

import {
  getGetChildNoticeQueryKey,
  getListHistoryInfiniteQueryKey,
} from "../api/generated/client/children/children";
import {
  getGetBirthMonthQueryKey,
  getGetRulesQueryKey,
  useGetBirthMonth,
  useReplaceBirthMonth,
} from "../api/generated/client/rules/rules";
import type { components } from "../api/generated/schema";
import { failureSentence } from "../api/problem";
import { QueryView } from "../api/QueryView";
import type { Child } from "../children/children";
import { NO_MONTH, readMonth, type TypedMonth, typedMonth } from "../format/birth-month";
import { BirthMonthField } from "../identity/BirthMonthField";
import { Alert } from "../ui/Alert";
import { BUSY, Button } from "../ui/Button";
import { useFocusAfterChange } from "../ui/focus";
import { Form } from "../ui/Form";
import { isChanged, usePageState } from "../ui/page-state";
import { Section } from "../ui/Section";
import { Skeleton } from "../ui/Skeleton";

/** The month in which the child was born. */
export function BirthMonth({ child: ofChild }: { child: Child }) {
  const { child_id: childId, name: child } = ofChild;
  const heading = useId();
  const query = useGetBirthMonth(childId, { query: { select: ({ data }) => data } });
  return (
    <Section
      heading={
        <Trans>
          When was <bdi>{child}</bdi> born?
        </Trans>
      }
      id={heading}
      className="flex flex-col gap-4"
    >
      <QueryView query={query} loading={{ skeleton: <Skeleton shapes={["h-44"]} /> }}>
        {(kept) => <BirthMonthForm key={childId} child={ofChild} heading={heading} kept={kept} />}
      </QueryView>
    </Section>
  );
}

interface BirthMonthFormProps {
  child: Child;
  /** Its heading's id. */
  heading: string;
  kept: components["schemas"]["Born"];
}

function BirthMonthForm({ child: { child_id: childId, name }, heading, kept }: BirthMonthFormProps) {
  const queries = useQueryClient();
  const { state: draft, write } = usePageState<TypedMonth | null>(
    `month of birth of ${childId}`,
    null,
    isChanged,
  );
  const [refusal, setRefusal] = useState<string | null>(null);
  const replace = useReplaceBirthMonth({
    mutation: {
      onSuccess: async () => {
        const affected = [
          getGetBirthMonthQueryKey(childId),
          getGetRulesQueryKey(childId),
          getGetChildNoticeQueryKey(childId),
          getListHistoryInfiniteQueryKey(childId),
        ];
        await Promise.all(affected.map(async (queryKey) => queries.invalidateQueries({ queryKey })));
        write(null);
      },
    },
  });
  const form = useRef<HTMLFormElement>(null);
  useFocusAfterChange(kept.born !== undefined, () =>
    form.current?.querySelector<HTMLElement>("button[type=submit]"),
  );
  const present = typedMonth(kept.born);
  const typed = draft ?? present;
  const failure = refusal ?? failureSentence(replace.error);
  const save = (month: TypedMonth) => {
    if (replace.isPending) return;
    const read = readMonth(month, new Date());
    setRefusal(read.kind === "refused" ? read.sentence : null);
    if (read.kind === "refused") return replace.reset();
    replace.mutate({ childId, data: { born: read.kind === "month" ? read.born : null } });
  };
  return (
    <Form ref={form} className="flex flex-col items-start gap-4" onSubmit={() => save(typed)}>
      <BirthMonthField
        child={name}
        heading={heading}
        typed={typed}
        storedYear={present.year}
        onChange={(next) => {
          setRefusal(null);
          replace.reset();
          write(next.month === present.month && next.year === present.year ? null : next);
        }}
      />
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          look="plain"
          aria-describedby={heading}
          busy={replace.isPending}
          busyLabel={BUSY}
        >
          <Trans>Save</Trans>
        </Button>
        {kept.born !== undefined && (
          <Button look="plain" aria-describedby={heading} onClick={() => save(NO_MONTH)}>
            <Trans>Remove</Trans>
          </Button>
        )}
      </div>
      {failure !== null && <Alert kind="error">{failure}</Alert>}
      {replace.isSuccess && (
        <Alert kind="success">
          <Trans>Saved.</Trans>
        </Alert>
      )}
    </Form>
  );
}
