import { Loading } from "../ui/Loading";
import { PageHeading } from "../ui/PageHeading";
import { PageSkeleton } from "../ui/Skeleton";

/** Shown inside the frame while the code of a page is loading. */
export function LoadingPage() {
  return (
    <>
      <PageHeading className="sr-only">Porchlight</PageHeading>
      <Loading sentence="Loading page...">
        <PageSkeleton />
      </Loading>
    </>
  );
}
