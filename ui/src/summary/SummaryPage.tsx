import { FileTextIcon } from "lucide-react";

import { JsonView } from "./JsonView";
import { loadSentence } from "./queries";
import { useGetSummary } from "../api/generated/client/summary/summary";
import { QueryView } from "../api/QueryView";
import { type Child, useNamedChild } from "../children/children";
import { ChildNotInList } from "../children/ChildNotInList";
import { EmptyState } from "../ui/EmptyState";
import { PageHeading } from "../ui/PageHeading";
import { PageTitle } from "../ui/PageTitle";
import { Skeleton } from "../ui/Skeleton";

export function SummaryPage() {
  const child = useNamedChild();
  if (child === null) return <ChildNotInList heading="Summary" />;
  return <ChildSummary key={child.child_id} child={child} />;
}

function ChildSummary({ child }: { child: Child }) {
  const query = useGetSummary(child.child_id);
  const { name } = child;
  const heading = `Summary for ${name}`;
  return (
    <div className="flex flex-col gap-5">
      <PageTitle page={heading} />
      <PageHeading>{heading}</PageHeading>
      <QueryView
        query={query}
        loading={{ sentence: `Loading summary for ${name}...`, skeleton: <SummarySkeleton /> }}
        errorSentence={loadSentence}
        empty={({ data }) => isEmpty(data) && noSummary}
      >
        {({ data }) => <JsonView label="Summary as JSON" value={data} />}
      </QueryView>
    </div>
  );
}

/** Whether there is nothing to look at: no value, or one without content. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

const noSummary = (
  <EmptyState icon={<FileTextIcon className="size-10" />}>No summary data available.</EmptyState>
);

function SummarySkeleton() {
  return (
    <div className="flex flex-col gap-3 rounded-surface border border-line p-5 pt-14">
      <Skeleton className="h-4 w-1/3" />
      <Skeleton className="ml-4 h-4 w-2/5" />
      <Skeleton className="ml-4 h-4 w-1/2" />
      <Skeleton className="ml-8 h-4 w-3/5" />
      <Skeleton className="ml-8 h-4 w-2/5" />
      <Skeleton className="ml-4 h-4 w-1/2" />
      <Skeleton className="ml-8 h-4 w-2/3" />
      <Skeleton className="h-4 w-1/4" />
    </div>
  );
}
