import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { FileTextIcon } from "lucide-react";
import { useDeferredValue } from "react";

import { HomeScreen } from "./HomeScreen";
import { JsonView } from "./JsonView";
import { NothingYet } from "./NothingYet";
import { Overview } from "./Overview";
import { errorTexts, useTalkStatus } from "./queries";
import { StatusLine } from "./StatusLine";
import { WhatNeedsYou } from "./WhatNeedsYou";
import { useGetTimes } from "../api/generated/client/rules/rules";
import { useGetMetrics, useGetSummary } from "../api/generated/client/summary/summary";
import { QueryView } from "../api/QueryView";
import { useAttention } from "../children/attention";
import { childPage } from "../children/child-page";
import type { Child } from "../children/children";
import { DownloadCopy } from "../retention/DownloadCopy";
import { EmptyState } from "../ui/EmptyState";
import { Loading } from "../ui/Loading";
import { PageHeading } from "../ui/PageHeading";
import { Skeleton } from "../ui/Skeleton";
import { Disclosure } from "../ui/Disclosure";

export const SummaryPage = childPage(msg`Summary`, ChildSummary);

function ChildSummary({ child }: { child: Child }) {
  const query = useGetSummary(child.child_id);
  const talk = useSomethingToTalkAbout(child);
  // Deferred, so that React renders the parts in small steps instead of one long task.
  const isSettled = useDeferredValue(useSettled(child, query, talk));
  const { name } = child;
  const heading = t`Summary for ${name}`;
  const loading = { sentence: t`Loading summary for ${name}...`, skeleton: summarySkeleton };
  // An empty summary: nothing was delivered yet.
  const isNew = query.data !== undefined && isEmpty(query.data.data);
  return (
    <div data-wide className="flex flex-col gap-5">
      <PageHeading>{heading}</PageHeading>
      {isSettled ? (
        <>
          <div className={columns}>
            <div className={side}>
              <WhatNeedsYou child={child} />
            </div>
            <div className={side}>
              <StatusLine child={child} />
            </div>
            <div className="flex min-w-0 flex-col gap-5 wide:col-start-1 wide:row-span-3 wide:row-start-1">
              {isNew ? <NothingYet child={child} /> : <Overview child={child} summary={query.data?.data} />}
            </div>
            <div className={side}>{talk.data !== undefined && <talk.data child={child} />}</div>
          </div>
          <HomeScreen />
          <DownloadCopy child={child} />
          <QueryView
            query={query}
            loading={loading}
            errorText={errorTexts.load}
            empty={({ data }) => isEmpty(data) && noSummary}
          >
            {({ data }) => <Everything summary={data} />}
          </QueryView>
        </>
      ) : (
        <Loading sentence={loading.sentence}>{loading.skeleton}</Loading>
      )}
    </div>
  );
}

/**
 * One below the other in the order of the document; where there is room, the story has the left column. The last row takes
 * what the story is higher than the others, so that these stay together.
 */
const columns =
  "flex flex-col gap-5 wide:grid wide:grid-cols-[7fr_4fr] wide:grid-rows-[auto_auto_1fr] wide:gap-x-10";
const side = "min-w-0 empty:hidden wide:col-start-2 print:hidden";

/** What shows something to talk about, loaded on its own with its answer. */
function useSomethingToTalkAbout({ child_id: childId }: Child) {
  return useQuery({
    queryKey: ["curious", childId],
    queryFn: async ({ client, signal }) => {
      const { loadSomethingToTalkAbout } = await import("../conversation-starters/SomethingToTalkAbout");
      // The page may have been left meanwhile.
      signal.throwIfAborted();
      return loadSomethingToTalkAbout(client, childId);
    },
    staleTime: Infinity,
  });
}

/**
 * Whether all queries that determine the layout have succeeded or failed. The parts are shown together, because one after
 * the other would shift the page on a slow connection.
 */
function useSettled(
  { child_id: childId }: Child,
  summary: ReturnType<typeof useGetSummary>,
  talk: ReturnType<typeof useSomethingToTalkAbout>,
): boolean {
  const answers = [
    summary,
    talk,
    useAttention(),
    useGetMetrics(childId),
    useTalkStatus(childId),
    useGetTimes(childId),
  ];
  return answers.every(({ data, errorUpdatedAt }) => data !== undefined || errorUpdatedAt > 0);
}

function Everything({ summary }: { summary: unknown }) {
  return (
    <Disclosure summary={t`Raw data`} isOpen className="print:hidden">
      <JsonView label={t`Summary as JSON`} value={summary} />
    </Disclosure>
  );
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

const noSummary = (
  <EmptyState icon={<FileTextIcon className="size-10" />}>
    <Trans>No summary data available.</Trans>
  </EmptyState>
);

/** The card, how far Porchlight sees, the status row, today and yesterday, and the week. */
const summarySkeleton = (
  <Skeleton
    className="flex-col gap-3"
    shapes={[
      "h-26 md:h-19.5",
      "mx-3 h-4 w-4/5",
      "mt-2 h-24.5 md:h-18.5",
      "mt-8 h-6 w-4/5",
      "h-6 w-3/5",
      "mt-3 h-40",
    ]}
  />
);
