import type { ReactNode } from "react";

import { Loading } from "./Loading";
import { PageHeading } from "./PageHeading";
import { Skeleton } from "./Skeleton";

/**
 * Replaces a page inside the frame while its code or the list of children is loading, or if that has failed. The heading
 * element is reused, so that it keeps the focus after a retry.
 */
export function LoadingPage({ sentence, failure }: { sentence: string; failure?: ReactNode }) {
  return (
    <>
      <PageHeading title={null} className="sr-only">
        Porchlight
      </PageHeading>
      {failure ?? (
        <Loading sentence={sentence}>
          <Skeleton shapes={["h-8 w-64 max-w-full", "h-48"]} />
        </Loading>
      )}
    </>
  );
}
