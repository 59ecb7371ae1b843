import { i18n } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { ListChecksIcon } from "lucide-react";
import { useEffect } from "react";
import { useNavigate, useParams } from "react-router";

import { CompletedActivities } from "./CompletedActivities";
import { type LoadedActivities, errorTexts, useCompletedActivities, useUpcomingActivities } from "./queries";
import { UpcomingActivities } from "./UpcomingActivities";
import { QueryView } from "../api/QueryView";
import { childPage } from "../children/child-page";
import type { Child } from "../children/children";
import { ConnectFirst } from "../children/ConnectFirst";
import { unreadableSentence } from "../format/unreadable";
import { paths } from "../paths";
import { EmptyState } from "../ui/EmptyState";
import type { HistoryState } from "../ui/history-state";
import { PageHeading } from "../ui/PageHeading";
import { QuietLine } from "../ui/QuietLine";
import { Skeleton } from "../ui/Skeleton";
import { Tabs } from "../ui/Tabs";

const tabs = [
  { key: "completed", label: msg`Completed` },
  { key: "upcoming", label: msg`Upcoming` },
] as const;

type ActivityType = (typeof tabs)[number]["key"];

export const ActivitiesPage = childPage(msg`Activities`, ChildActivities);

function ChildActivities({ child }: { child: Child }) {
  const type = useActivityType();
  const navigate = useNavigate();
  // Both calls are made at once, whichever tab is shown.
  const completed = useCompletedActivities(child.child_id);
  const upcoming = useUpcomingActivities(child.child_id);
  const { name } = child;
  const heading = t`Activities for ${name}`;
  const loading = t`Loading activities for ${name}...`;
  return (
    <div className="flex flex-col gap-4">
      <PageHeading>{heading}</PageHeading>
      <Tabs
        label={t`Activities`}
        tabs={tabs.map(({ key, label }) => ({ key, label: i18n._(label) }))}
        selected={type}
        onSelect={(chosen) => {
          const options = { replace: true, state: { keepFocus: true } satisfies HistoryState };
          void navigate(paths.activities(child.child_id, chosen), options);
        }}
      >
        {type === "completed" ? (
          <QueryView
            query={completed}
            loading={{ sentence: loading, skeleton: tableSkeleton }}
            errorText={errorTexts.load}
            empty={(loaded) => noneCompleted(loaded, child.child_id)}
          >
            {({ activities, unreadable }) => (
              <div className="flex flex-col gap-3">
                <QuietLine sentence={unreadableSentence(unreadable, "record")} />
                <CompletedActivities
                  childId={child.child_id}
                  name={name}
                  activities={activities}
                  query={completed}
                />
              </div>
            )}
          </QueryView>
        ) : (
          <QueryView
            query={upcoming}
            loading={{ sentence: loading, skeleton: cardsSkeleton }}
            errorText={errorTexts.load}
          >
            {(loaded) => <UpcomingActivities child={child} {...loaded} />}
          </QueryView>
        )}
      </Tabs>
    </div>
  );
}

function noneCompleted({ activities, unreadable }: LoadedActivities<unknown>, childId: number) {
  if (activities.length > 0) return null;
  return (
    <EmptyState icon={<ListChecksIcon className="size-10" />} action={<ConnectFirst childId={childId} />}>
      {unreadableSentence(unreadable, "record") ?? t`No completed activities yet.`}
    </EmptyState>
  );
}

/** The activity type in the address; an unknown one counts as completed. */
function useActivityType(): ActivityType {
  const named = useParams()["activityType"];
  const type = tabs.find(({ key }) => key === named)?.key;
  useEffect(() => {
    // oxlint-disable-next-line no-console -- specified (section 2)
    if (type === undefined) console.warn(`There are no activities of the type "${named}".`);
  }, [type, named]);
  return type ?? "completed";
}

const row = "h-16 sm:h-10";
const tableSkeleton = <Skeleton shapes={["h-5 w-64 max-w-full", row, row, row, row, row]} />;
const cardsSkeleton = <Skeleton shapes={["h-40", "h-40", "h-40"]} />;
