import { useEffect } from "react";
import { useNavigate, useParams } from "react-router";

import {
  type ActivityType,
  type LoadedActivities,
  activityTypeIn,
  listSentence,
  useCompletedActivities,
  useUpcomingActivities,
} from "./activities";
import { CompletedActivities } from "./CompletedActivities";
import { UpcomingActivities } from "./UpcomingActivities";
import { type Child, useNamedChild } from "../children/children";
import { NoChild } from "../children/NoChild";
import { plainText } from "../format/plain-text";
import { unreadableSentence } from "../format/unreadable";
import { paths } from "../paths";
import { EmptyState } from "../ui/EmptyState";
import { ErrorState } from "../ui/ErrorState";
import { ActivitiesIcon } from "../ui/icons";
import { Loading } from "../ui/Loading";
import { PageHeading } from "../ui/PageHeading";
import { PageTitle } from "../ui/PageTitle";
import { QuietLine } from "../ui/QuietLine";
import { Skeleton } from "../ui/Skeleton";
import { Tabs } from "../ui/Tabs";

const tabs: readonly { key: ActivityType; label: string }[] = [
  { key: "completed", label: "Completed" },
  { key: "upcoming", label: "Upcoming" },
];

export function ActivitiesPage() {
  const child = useNamedChild();
  if (child === null) return <NoChild heading="Activities" />;
  return <ChildActivities key={child.child_id} child={child} />;
}

function ChildActivities({ child }: { child: Child }) {
  const type = useActivityType();
  const navigate = useNavigate();
  // Both are asked for at once, whichever tab is shown.
  const completed = useCompletedActivities(child.child_id);
  const upcoming = useUpcomingActivities(child.child_id);
  const name = plainText(child.name);
  const heading = `Activities for ${name}`;
  return (
    <div className="flex flex-col gap-4">
      <PageTitle page={heading} />
      <PageHeading>{heading}</PageHeading>
      <Tabs
        label="Activities"
        tabs={tabs}
        selected={type}
        onSelect={(chosen) => {
          const options = { replace: true, state: { keepFocus: true } };
          void navigate(paths.activities(child.child_id, chosen), options);
        }}
      >
        {type === "completed" ? (
          <Panel
            query={completed}
            name={name}
            skeleton={<TableSkeleton />}
            empty="No completed activities yet."
          >
            {({ activities }) => (
              <CompletedActivities
                name={name}
                activities={activities}
                more={
                  completed.hasNextPage
                    ? {
                        loading: completed.isFetchingNextPage,
                        failure: completed.isFetchNextPageError ? listSentence(completed.error) : null,
                        load: () => {
                          if (!completed.isFetching) void completed.fetchNextPage({ cancelRefetch: false });
                        },
                      }
                    : null
                }
              />
            )}
          </Panel>
        ) : (
          <Panel query={upcoming} name={name} skeleton={<CardsSkeleton />}>
            {(loaded) => <UpcomingActivities child={child} {...loaded} />}
          </Panel>
        )}
      </Tabs>
    </div>
  );
}

/** The type of activities that the address names. One that is unknown counts as completed. */
function useActivityType(): ActivityType {
  const named = useParams()["activityType"];
  const type = activityTypeIn(named);
  useEffect(() => {
    // oxlint-disable-next-line no-console -- so it is specified
    if (type === null) console.warn(`There are no activities of the type "${named}".`);
  }, [type, named]);
  return type ?? "completed";
}

interface PanelProps<Item> {
  query: {
    data: LoadedActivities<Item> | undefined;
    error: Error | null;
    isFetching: boolean;
    refetch: () => Promise<unknown>;
  };
  name: string;
  skeleton: React.ReactNode;
  /** What an empty list says, unless the list itself knows. */
  empty?: string;
  children: (loaded: LoadedActivities<Item>) => React.ReactNode;
}

/** One tab's list, with everything that can be the case while it loads. */
function Panel<Item>({ query, name, skeleton, empty, children }: PanelProps<Item>) {
  const { data, error, isFetching, refetch } = query;
  if (data === undefined) {
    return error === null ? (
      <Loading sentence={`Loading activities for ${name}...`}>{skeleton}</Loading>
    ) : (
      <ErrorState sentence={listSentence(error)} onRetry={() => void refetch()} busy={isFetching} />
    );
  }
  const missing = unreadableSentence(data.unreadable, "activity");
  if (data.activities.length === 0 && empty !== undefined) {
    return <EmptyState icon={<ActivitiesIcon className="size-10" />}>{missing ?? empty}</EmptyState>;
  }
  return (
    <div className="flex flex-col gap-3">
      <QuietLine sentence={data.activities.length > 0 ? missing : null} />
      {children(data)}
    </div>
  );
}

function TableSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="h-5 w-64 max-w-full" />
      {[1, 2, 3, 4, 5].map((row) => (
        <Skeleton key={row} className="h-16 sm:h-10" />
      ))}
    </div>
  );
}

function CardsSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="h-40" />
      <Skeleton className="h-40" />
      <Skeleton className="h-40" />
    </div>
  );
}
