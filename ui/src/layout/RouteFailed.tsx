import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";
import { useEffect } from "react";
import { useLocation, useNavigate, useRouteError } from "react-router";

import { FAILED, logFailure } from "../api/problem";
import { serverAnswers } from "../api/send";
import { ErrorState } from "../ui/ErrorState";
import { type HistoryState, historyState } from "../ui/history-state";
import { PageHeading } from "../ui/PageHeading";

/** The error page outside the frame. */
export function RouteFailed() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-6 px-5">
      <Failure onRetry={() => location.reload()} />
    </main>
  );
}

/**
 * The error page inside the frame. The first retry renders the page again, which keeps unsaved work. If that fails too, a
 * newer version of the app may have replaced the files, so the second retry reloads the app, but only if the server is
 * reachable: without a network the browser would show nothing.
 */
export function PageFailed() {
  const here = useLocation();
  const navigate = useNavigate();
  const state = historyState(here.state);
  const retry = async () => {
    if (state.triedAgain && (await serverAnswers())) location.reload();
    else
      await navigate(here, { replace: true, state: { ...state, triedAgain: true } satisfies HistoryState });
  };
  return <Failure onRetry={() => void retry()} />;
}

function Failure({ onRetry }: { onRetry: () => void }) {
  const error = useRouteError();
  useEffect(() => logFailure(error), [error]);
  return (
    <>
      <PageHeading>{t`This page could not be shown`}</PageHeading>
      <ErrorState sentence={sentenceFor(error)} onRetry={onRetry} />
    </>
  );
}

/** A sentence in place of the error's own message. */
function sentenceFor(error: unknown): string {
  const unloaded = error instanceof TypeError && /import|module|fetch/iu.test(error.message);
  return unloaded ? t`The server can't be reached. Please check your connection.` : i18n._(FAILED);
}
