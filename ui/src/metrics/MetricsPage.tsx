import { msg, plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type ReactNode, useId, useState } from "react";

import { Charts } from "./Charts";
import { firstDayOf } from "./series";
import { useGetMetrics } from "../api/generated/client/summary/summary";
import { QueryView } from "../api/QueryView";
import { childPage } from "../children/child-page";
import type { Child } from "../children/children";
import { ConnectFirst } from "../children/ConnectFirst";
import { EmptyState } from "../ui/EmptyState";
import { PageHeading } from "../ui/PageHeading";
import { Skeleton } from "../ui/Skeleton";

const CHOICES = [4, 12] as const;

export const MetricsPage = childPage(msg`Metrics Page`, ChildMetrics);

function ChildMetrics({ child }: { child: Child }) {
  const [weeks, setWeeks] = useState<number>(CHOICES[0]);
  // The server determines the current day in the child's time zone.
  const recent = useGetMetrics(child.child_id);
  const today = recent.data?.data.to;
  const chosen = useGetMetrics(
    child.child_id,
    { from: firstDayOf(weeks, today ?? "2000-01-01") },
    { query: { enabled: today !== undefined, placeholderData: (before) => before } },
  );
  return (
    <div data-wide className="flex flex-col gap-5">
      <PageHeading>{t`Metrics Page`}</PageHeading>
      <Weeks weeks={weeks} choose={setWeeks} />
      <QueryView
        query={today === undefined ? recent : chosen}
        loading={{ skeleton }}
        empty={({ data }) =>
          data.days.every(({ sessions, seconds }) => sessions + seconds === 0) && nothing(child)
        }
      >
        {({ data }) => <Charts name={child.name} metrics={data} />}
      </QueryView>
      <p className="pt-3 text-xs text-muted print:hidden">
        <Trans>This is the Metrics route.</Trans>
      </p>
    </div>
  );
}

function Weeks({ weeks, choose }: { weeks: number; choose: (weeks: number) => void }): ReactNode {
  const name = useId();
  return (
    <fieldset className="flex flex-wrap gap-2 print:hidden">
      <legend className="sr-only">
        <Trans>For how many weeks</Trans>
      </legend>
      {CHOICES.map((choice) => (
        <label
          key={choice}
          className={`inline-flex min-h-11 cursor-pointer items-center rounded-control border px-4 font-bold focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-lamp ${
            weeks === choice ? "border-primary bg-tint forced-colors:outline-2" : "border-edge"
          }`}
        >
          <input
            type="radio"
            name={name}
            checked={weeks === choice}
            onChange={() => choose(choice)}
            className="sr-only"
          />
          {plural(choice, { one: "# week", other: "# weeks" })}
        </label>
      ))}
    </fieldset>
  );
}

function nothing({ child_id: childId }: Child) {
  return (
    <EmptyState action={<ConnectFirst childId={childId} />}>
      <Trans>Charts appear after the first conversation.</Trans>
    </EmptyState>
  );
}

/** The first charts, more than a phone's screen, so that the sentence below them doesn't move while it is seen. */
const skeleton = (
  <Skeleton
    shapes={["h-6 w-2/3", "h-44", "h-6 w-1/2", "h-44", "h-6 w-2/3", "h-44", "h-6 w-1/2", "h-44"]}
    className="flex-col gap-3"
  />
);
