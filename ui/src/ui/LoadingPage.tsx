import { Loading } from "./Loading";
import { PageHeading } from "./PageHeading";
import { Skeleton } from "./Skeleton";

/** Stands for a page inside the frame while its code or the list of children is loading. */
export function LoadingPage({ sentence = "Loading page..." }: { sentence?: string }) {
  return (
    <>
      <PageHeading title={null} className="sr-only">
        Porchlight
      </PageHeading>
      <Loading sentence={sentence}>
        <Skeleton shapes={["h-8 w-64 max-w-full", "h-48"]} />
      </Loading>
    </>
  );
}
