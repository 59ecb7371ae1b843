import { Loading } from "../ui/Loading";
import { PageHeading } from "../ui/PageHeading";
import { PageSkeleton } from "../ui/Skeleton";

/** Stands inside the frame for a page whose file is on its way. */
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
