import { onlineManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { Link, useLocation } from "react-router";

import { useBackgroundFailure } from "../api/background-failure";
import { isUnreachable } from "../api/problem";
import { dayAndTime, sameDay, timeOfDay } from "../format/dates";
import { useGetRecoveryCodes } from "../api/generated/client/identity/identity";
import { paths } from "../paths";
import { useUnsavedWork } from "../ui/unsaved-work";

interface NoticesProps {
  asOf: string | null;
  /** Whether the page had time to load, so that a request more delays nothing. */
  settled: boolean;
}

/**
 * The lines at the bottom of the window: unsaved work on other pages, recovery codes that were never made, and how old the
 * page is if it is not up to date.
 */
export function Notices({ asOf, settled }: NoticesProps) {
  const { pathname } = useLocation();
  const { unsaved } = useUnsavedWork();
  const stale = useStaleness() ?? (asOf === null ? null : `as of ${timeWords(asOf)}`);
  return (
    <div className="sticky bottom-(--bar) z-10 h-0 print:hidden">
      <div className="absolute inset-x-0 bottom-0 text-sm">
        {Object.entries(unsaved)
          .filter(([path]) => path !== pathname)
          .map(([path, sentence]) => (
            <div key={path} className="border-t border-line bg-danger-glow text-danger">
              <div className={`${columnClass} flex items-center gap-4`}>
                <p role="alert" className="min-w-0 py-2 [overflow-wrap:anywhere]">
                  {sentence}
                </p>
                <Link
                  to={path}
                  className="flex min-h-11 shrink-0 items-center font-bold underline underline-offset-4"
                >
                  Go there
                </Link>
              </div>
            </div>
          ))}
        {settled && <RecoveryNotice />}
        <div className={stale === null ? "" : "border-t border-line bg-quiet py-1.5"}>
          <p role="status" className={columnClass}>
            {stale}
          </p>
        </div>
      </div>
    </div>
  );
}

/** Reminds a guardian who never had recovery codes to keep some. */
function RecoveryNotice() {
  const { pathname } = useLocation();
  const codes = useGetRecoveryCodes({ query: { staleTime: Infinity } });
  const missing = codes.isSuccess && codes.data.data.made_at === undefined;
  if (!missing || pathname === paths.signIns()) return null;
  return (
    <aside aria-label="Recovery codes" className="border-t border-line bg-lamp-glow">
      <div className={`${columnClass} flex items-center gap-4`}>
        <p className="min-w-0 py-2">Keep ten recovery codes: they let you in when no letter arrives.</p>
        <Link
          to={paths.signIns()}
          className="flex min-h-11 shrink-0 items-center font-bold text-primary underline underline-offset-4"
        >
          Get them
        </Link>
      </div>
    </aside>
  );
}

/** The width of the page content. */
const columnClass = "mx-auto max-w-[58rem] px-4 md:px-6";

/** The sentence for stale data; null if the data is up to date. */
function useStaleness(): string | null {
  const online = useSyncExternalStore(
    (watcher) => onlineManager.subscribe(watcher),
    () => onlineManager.isOnline(),
  );
  const failure = useBackgroundFailure();
  if (failure === null) return online ? null : "No connection.";
  const words = isUnreachable(failure.error) ? "No connection." : "This page could not be refreshed.";
  return `${words} What you see is as of ${timeWords(new Date(failure.dataUpdatedAt).toISOString())}.`;
}

function timeWords(at: string): string {
  return sameDay(at, new Date().toISOString()) ? timeOfDay(at) : dayAndTime(at);
}
