import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useId } from "react";

import { getListHistoryInfiniteQueryKey } from "../api/generated/client/children/children";
import {
  getGetChildLanguageQueryKey,
  getGetRulesQueryKey,
  useGetChildLanguage,
  useReplaceChildLanguage,
} from "../api/generated/client/rules/rules";
import { failureSentence } from "../api/problem";
import { QueryView } from "../api/QueryView";
import type { Child } from "../children/children";
import { isolated } from "../format/isolated";
import { ChildLanguageField, type Language, spokenLanguage } from "../identity/ChildLanguageField";
import { Alert } from "../ui/Alert";
import { BUSY, Button } from "../ui/Button";
import { Form } from "../ui/Form";
import { isChanged, usePageState } from "../ui/page-state";
import { Section } from "../ui/Section";
import { Skeleton } from "../ui/Skeleton";

/** The language that the child speaks with its assistants. */
export function ChildLanguage({ child }: { child: Child }) {
  const { name } = child;
  const heading = useId();
  const query = useGetChildLanguage(child.child_id, { query: { select: ({ data }) => data } });
  return (
    <Section heading={t`Language ${{ name: isolated(name) }} speaks`} id={heading}>
      <QueryView query={query} loading={{ skeleton: <Skeleton shapes={["h-11 w-40", "h-11 w-36"]} /> }}>
        {({ language }) => (
          <ChildLanguageForm key={child.child_id} child={child} heading={heading} kept={language} />
        )}
      </QueryView>
    </Section>
  );
}

interface ChildLanguageFormProps {
  child: Child;
  /** Its heading's id. */
  heading: string;
  kept: Language | undefined;
}

function ChildLanguageForm({ child: { child_id: childId, name }, heading, kept }: ChildLanguageFormProps) {
  const queries = useQueryClient();
  const { state: draft, write } = usePageState<{ language?: Language } | null>(
    `language of ${childId}`,
    null,
    isChanged,
  );
  const replace = useReplaceChildLanguage({
    mutation: {
      onSuccess: async () => {
        const affected = [
          getGetChildLanguageQueryKey(childId),
          getGetRulesQueryKey(childId),
          getListHistoryInfiniteQueryKey(childId),
        ];
        await Promise.all(affected.map(async (queryKey) => queries.invalidateQueries({ queryKey })));
        write(null);
      },
    },
  });
  const spoken = draft === null ? kept : draft.language;
  const failure = failureSentence(replace.error);
  return (
    <Form
      className="flex flex-col items-start gap-4"
      onSubmit={() => {
        if (!replace.isPending) replace.mutate({ childId, data: spokenLanguage(spoken) });
      }}
    >
      <ChildLanguageField
        child={name}
        hidesLabel
        language={spoken}
        onChange={(language) => {
          replace.reset();
          write(language === kept ? null : spokenLanguage(language));
        }}
      />
      <Button type="submit" look="plain" aria-describedby={heading} busy={replace.isPending} busyLabel={BUSY}>
        <Trans>Save</Trans>
      </Button>
      {failure !== null && <Alert kind="error">{failure}</Alert>}
      {replace.isSuccess && (
        <Alert kind="success">
          <Trans>Saved.</Trans>
        </Alert>
      )}
    </Form>
  );
}
