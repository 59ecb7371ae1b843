import { isEmpty } from "./json-lines";
import { JsonView } from "./JsonView";
import { loadSentence } from "./load-sentence";
import { useGetSummary } from "../api/generated/client/summary/summary";
import { type Child, useNamedChild } from "../children/children";
import { NoChild } from "../children/NoChild";
import { plainText } from "../format/plain-text";
import { EmptyState } from "../ui/EmptyState";
import { ErrorState } from "../ui/ErrorState";
import { SummaryIcon } from "../ui/icons";
import { Loading } from "../ui/Loading";
import { PageHeading } from "../ui/PageHeading";
import { PageTitle } from "../ui/PageTitle";
import { Skeleton } from "../ui/Skeleton";

export function SummaryPage() {
  const child = useNamedChild();
  if (child === null) return <NoChild heading="Summary" />;
  return <ChildSummary key={child.child_id} child={child} />;
}

function ChildSummary({ child }: { child: Child }) {
  const heading = `Summary for ${plainText(child.name)}`;
  return (
    <div className="flex flex-col gap-5">
      <PageTitle page={heading} />
      <PageHeading>{heading}</PageHeading>
      <SummaryOf child={child} />
    </div>
  );
}

/** The summary as the server gave it, with everything that can be the case while it loads. */
function SummaryOf({ child }: { child: Child }) {
  const { data, error, isFetching, refetch } = useGetSummary(child.child_id);
  if (data === undefined) {
    return error === null ? (
      <Loading sentence={`Loading summary for ${plainText(child.name)}...`}>
        <SummarySkeleton />
      </Loading>
    ) : (
      <ErrorState sentence={loadSentence(error)} onRetry={() => void refetch()} busy={isFetching} />
    );
  }
  if (isEmpty(data.data)) {
    return <EmptyState icon={<SummaryIcon className="size-10" />}>No summary data available.</EmptyState>;
  }
  return <JsonView label="Summary as JSON" value={data.data} />;
}

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
