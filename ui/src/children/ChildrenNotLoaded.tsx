import type { ChildrenList } from "./children";
import { ErrorState } from "../ui/ErrorState";
import { Loading } from "../ui/Loading";
import { PageHeading } from "../ui/PageHeading";
import { PageSkeleton } from "../ui/Skeleton";

/** Replaces a page while the list of children is loading or has failed. A retry moves the focus to the heading. */
export function ChildrenNotLoaded({ list }: { list: Exclude<ChildrenList, { kind: "loaded" }> }) {
  return (
    <>
      <PageHeading className="sr-only">Porchlight</PageHeading>
      {list.kind === "loading" ? (
        <Loading sentence="Loading children...">
          <PageSkeleton />
        </Loading>
      ) : (
        <ErrorState sentence={`Error: ${list.sentence}`} onRetry={list.retry} />
      )}
    </>
  );
}
