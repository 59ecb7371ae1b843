import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import { useChanges } from "./changes";
import { errorMessage } from "../api/problem";
import { QueryView } from "../api/QueryView";
import { useFocusOnEarlier } from "../ui/focus";
import { ShowEarlier } from "../ui/ShowEarlier";
import { Skeleton } from "../ui/Skeleton";
import { Section } from "../ui/Section";

/** The history of changes to the child's settings. */
export function ChangesSection({ childId }: { childId: number }) {
  const query = useChanges(childId);
  const { list, showEarlier } = useFocusOnEarlier<HTMLOListElement>(query.data?.length ?? 0, query);
  return (
    <Section heading={t`Changes`} id="changes">
      <QueryView query={query} loading={{ skeleton: changesSkeleton }} empty={withoutChanges}>
        {(changes) => (
          <>
            <ol ref={list} aria-labelledby="changes" className="flex flex-col gap-1.5">
              {changes.map(({ at, when, who, what }) => (
                <li key={`${at} ${what}`} tabIndex={-1} className="[overflow-wrap:anywhere]">
                  <time dateTime={at} className="text-muted tabular-nums">
                    {when}
                  </time>
                  {" · "}
                  <bdi>{who}</bdi> · {what}
                </li>
              ))}
            </ol>
            <ShowEarlier
              query={query}
              error={query.isFetchNextPageError ? errorMessage(query.error) : null}
              onShow={() => void showEarlier()}
            />
          </>
        )}
      </QueryView>
    </Section>
  );
}

function withoutChanges(changes: readonly unknown[]) {
  return (
    changes.length === 0 && (
      <p className="text-muted">
        <Trans>Nothing yet</Trans>
      </p>
    )
  );
}

const changesSkeleton = <Skeleton shapes={["h-5 max-w-sm", "h-5 max-w-md", "h-5 max-w-sm"]} />;
