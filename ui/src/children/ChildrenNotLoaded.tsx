import type { ChildrenList } from "./children";
import { ErrorState } from "../ui/ErrorState";
import { LoadingPage } from "../ui/LoadingPage";
import { PageHeading } from "../ui/PageHeading";

/** Replaces a page while the list of children is loading or has failed. A retry moves the focus to the heading. */
export function ChildrenNotLoaded({ list }: { list: Exclude<ChildrenList, { kind: "loaded" }> }) {
  if (list.kind === "loading") return <LoadingPage sentence="Loading children..." />;
  return (
    <>
      <PageHeading title={null} className="sr-only">
        Porchlight
      </PageHeading>
      <ErrorState sentence={`Error: ${list.sentence}`} onRetry={list.retry} />
    </>
  );
}
