import { useEffect } from "react";
import { useRouteError } from "react-router";

import { logFailure, sentenceOf } from "../api/problem";
import { ErrorState } from "../ui/ErrorState";

/** A page could not be loaded or drawn, for instance because a newer version of the app has replaced its files. */
export function RouteFailed() {
  const error = useRouteError();
  useEffect(() => logFailure(error), [error]);
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-6 px-5">
      <h1 className="text-xl font-bold">This page could not be shown</h1>
      <ErrorState sentence={sentenceOf(error, "Something went wrong.")} onRetry={() => location.reload()} />
    </main>
  );
}
