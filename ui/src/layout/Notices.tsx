import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { onlineManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { Link, useLocation } from "react-router";

import { useLiveUpdates } from "./live";
import { useBackgroundFailure } from "../api/background-failure";
import { isUnreachable } from "../api/problem";
import { relativeTime, sameDay, timeOfDay } from "../format/dates";
import { useUnsavedWork } from "../ui/unsaved-work";

/**
 * Keeps the page up to date with a child's events. Shows the notices at the bottom of the window: unsaved work on other pages,
 * and since when the page is stale.
 */
export function Notices({ childId }: { childId: number | null }) {
  const asOf = useLiveUpdates(childId);
  const { pathname } = useLocation();
  const { unsaved } = useUnsavedWork();
  const stale = useStaleness() ?? (asOf === null ? null : lastUpdated(timeWords(asOf)));
  return (
    <div className="sticky bottom-(--bar) z-10 h-0 print:hidden">
      <div className="absolute inset-x-0 bottom-0 text-sm">
        {Object.entries(unsaved)
          .filter(([path]) => path !== pathname)
          .map(([path, { sentence, isFailure }]) => (
            <div
              key={path}
              className={`border-t border-line ${isFailure ? "bg-surface text-danger" : "bg-quiet"}`}
            >
              <div className={`${columnClass} flex items-center gap-4`}>
                <p role={isFailure ? "alert" : "status"} className="min-w-0 py-2 [overflow-wrap:anywhere]">
                  {sentence}
                </p>
                <Link
                  to={path}
                  className="flex min-h-11 shrink-0 items-center font-bold underline underline-offset-4"
                >
                  <Trans>Go there</Trans>
                </Link>
              </div>
            </div>
          ))}
        <div className={stale === null ? "" : "border-t border-line bg-quiet py-1.5"}>
          <p role="status" className={columnClass}>
            {stale}
          </p>
        </div>
      </div>
    </div>
  );
}

/** The width of the page content. */
const columnClass = "mx-auto max-w-(--frame) px-4 md:px-6";

/** The sentence for stale data; null if the data is up to date. */
function useStaleness(): string | null {
  const online = useSyncExternalStore(
    (watcher) => onlineManager.subscribe(watcher),
    () => onlineManager.isOnline(),
  );
  const failure = useBackgroundFailure();
  if (failure === null) return online ? null : t`No connection.`;
  const time = timeWords(new Date(failure.dataUpdatedAt).toISOString());
  const stale = lastUpdated(time);
  return isUnreachable(failure.error) ? `${t`No connection.`} ${stale}` : stale;
}

function lastUpdated(time: string): string {
  return t`Not live. Last updated ${time}`;
}

function timeWords(at: string): string {
  const now = new Date();
  return sameDay(at, now.toISOString()) ? timeOfDay(at) : relativeTime(at, now);
}
