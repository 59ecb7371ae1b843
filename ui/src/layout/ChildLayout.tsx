import { useEffect } from "react";
import { Outlet } from "react-router";

import { useChildren, useNamedChild } from "../children/children";
import { ErrorState } from "../ui/ErrorState";
import { Loading } from "../ui/Loading";
import { PageHeading } from "../ui/PageHeading";
import { Skeleton } from "../ui/Skeleton";

/** A child's pages. They are shown once the list of children is there; the child that the address names gets selected. */
export function ChildLayout() {
  const { list, select } = useChildren();
  const childId = useNamedChild()?.child_id;
  useEffect(() => {
    if (childId !== undefined) select(childId);
  }, [childId, select]);

  switch (list.status) {
    case "loading":
      return (
        <>
          <PageHeading className="sr-only">Porchlight</PageHeading>
          <Loading sentence="Loading children...">
            <div className="flex flex-col gap-4">
              <Skeleton className="h-8 w-64 max-w-full" />
              <Skeleton className="h-48" />
            </div>
          </Loading>
        </>
      );
    case "failed":
      return (
        <>
          <PageHeading className="sr-only">Porchlight</PageHeading>
          <ErrorState sentence={`Error: ${list.sentence}`} onRetry={list.retry} />
        </>
      );
    case "loaded":
      return <Outlet />;
  }
}
