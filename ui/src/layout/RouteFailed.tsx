import { useEffect } from "react";
import { useLocation, useNavigate, useRouteError } from "react-router";

import { logFailure } from "../api/problem";
import { serverAnswers } from "../api/send";
import { ErrorState } from "../ui/ErrorState";
import { type HistoryState, historyState } from "../ui/history-state";
import { PageHeading } from "../ui/PageHeading";

/** The app itself could not be loaded or drawn. */
export function RouteFailed() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-6 px-5">
      <Failure onRetry={() => location.reload()} />
    </main>
  );
}

/**
 * One page inside the frame could not be loaded or drawn. It is tried again in place, so that what is not saved yet is
 * kept. If that fails too, a newer version of the app may have replaced its files, and the app is loaded again, but only
 * once the server answers: without a network there would be no page left at all.
 */
export function PageFailed() {
  const here = useLocation();
  const navigate = useNavigate();
  const state = historyState(here.state);
  return (
    <Failure
      onRetry={() => {
        void (async () => {
          if (state.triedAgain && (await serverAnswers())) location.reload();
          else {
            const again: HistoryState = { ...state, triedAgain: true };
            await navigate(here, { replace: true, state: again });
          }
        })();
      }}
    />
  );
}

function Failure({ onRetry }: { onRetry: () => void }) {
  const error = useRouteError();
  useEffect(() => logFailure(error), [error]);
  return (
    <>
      <PageHeading>This page could not be shown</PageHeading>
      <ErrorState sentence={sentenceFor(error)} onRetry={onRetry} />
    </>
  );
}

/** What the browser says of a file that did not come is no sentence for a parent. */
function sentenceFor(error: unknown): string {
  const unloaded = error instanceof TypeError && /import|module|fetch/iu.test(error.message);
  return unloaded
    ? "It could not be loaded. Please check your connection and try again."
    : "Something went wrong while showing it. Please try again.";
}
