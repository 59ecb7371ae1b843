import { useEffect } from "react";
import { useRouteError } from "react-router";

import { logFailure } from "../api/problem";
import { ErrorState } from "../ui/ErrorState";

/** A page could not be loaded or drawn, for instance because a newer version of the app has replaced its files. */
export function RouteFailed() {
  const error = useRouteError();
  useEffect(() => logFailure(error), [error]);
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-6 px-5">
      <h1 className="text-xl font-bold">This page could not be shown</h1>
      <ErrorState sentence={sentenceFor(error)} onRetry={() => location.reload()} />
    </main>
  );
}

/** What the browser says of a file that did not come is no sentence for a parent. */
function sentenceFor(error: unknown): string {
  const unloaded = error instanceof TypeError && /import|module|fetch/iu.test(error.message);
  return unloaded
    ? "It could not be loaded. Please check your connection and try again."
    : "Something went wrong while showing it. Please try again.";
}
