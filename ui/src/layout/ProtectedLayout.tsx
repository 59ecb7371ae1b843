import { useEffect, useLayoutEffect, useRef } from "react";
import { Navigate, Outlet, useLocation } from "react-router";

import { BottomBar } from "./BottomBar";
import { GuardianMenu } from "./GuardianMenu";
import { Notices } from "./Notices";
import { SideNavigation } from "./SideNavigation";
import type { Guardian } from "../api/identity-token";
import { ChildrenProvider } from "../children/ChildrenProvider";
import { ChildSelector } from "../children/ChildSelector";
import { findNamedChild, useChildren } from "../children/children";
import { keepDeepLink } from "../identity/deep-link";
import { useIdentity } from "../identity/identity";
import { childIdIn } from "../paths";
import { focusHeading } from "../ui/focus";
import { type HistoryState, historyState } from "../ui/history-state";
import { PageStateProvider } from "../ui/page-state";

/** The code of the other pages is loaded this long after the app was opened. */
const PRELOAD_MS = 2000;

interface ProtectedLayoutProps {
  /** Loads the code of each page, so that none lacks it when the connection is gone. */
  preload: readonly (() => Promise<unknown>)[];
}

/** The frame of every page for a signed-in guardian. Whoever is not signed in is led to /login. */
export function ProtectedLayout({ preload }: ProtectedLayoutProps) {
  const { identity } = useIdentity();
  const { pathname, search } = useLocation();
  if (identity.kind !== "signed-in") {
    return (
      <LeaveForLogin from={pathname + search} keep={identity.kind === "signed-out" && !identity.byChoice} />
    );
  }
  // Another guardian in this tab starts with nothing of the last one's.
  return (
    <PageStateProvider key={identity.guardian.id}>
      <ChildrenProvider guardianId={identity.guardian.id}>
        <Frame guardian={identity.guardian} preload={preload} />
      </ChildrenProvider>
    </PageStateProvider>
  );
}

/** Leads to /login; `keep` remembers where the visit began. */
function LeaveForLogin({ from, keep }: { from: string; keep: boolean }) {
  useEffect(() => {
    if (keep) keepDeepLink(from);
  }, [from, keep]);
  return <Navigate to="/login" replace state={keep ? ({ from } satisfies HistoryState) : null} />;
}

function Frame({ guardian, preload }: ProtectedLayoutProps & { guardian: Guardian }) {
  const { list, selected, select } = useChildren();
  const named = findNamedChild(list, childIdIn(useLocation().pathname));
  const child = named ?? selected;
  useEffect(() => {
    if (named !== null) select(named.child_id);
  }, [named, select]);
  const main = useRef<HTMLElement>(null);
  useFocusOnNavigation();
  useEffect(() => {
    const waiting = setTimeout(() => {
      // A file that is missing now is asked for again when its page is opened.
      for (const load of preload) load().catch(() => {});
    }, PRELOAD_MS);
    return () => clearTimeout(waiting);
  }, [preload]);

  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
        className="absolute top-2 left-2 z-40 rounded-control bg-primary px-4 py-2.5 font-bold text-on-primary not-focus:sr-only"
      >
        Skip to the content
      </a>
      <SideNavigation childId={child?.child_id ?? null} />
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="sticky top-0 z-20 border-b border-line bg-page pt-[env(safe-area-inset-top)]">
          <div className="mx-auto flex h-16 max-w-[58rem] items-center justify-between gap-3 px-4 md:px-6">
            <div className="min-w-0">
              <ChildSelector />
            </div>
            <GuardianMenu guardian={guardian} />
          </div>
        </header>
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className="mx-auto w-full max-w-[58rem] flex-1 px-4 pt-5 pb-[calc(var(--bar)+2.5rem)] md:px-6 md:pt-7"
        >
          <Outlet />
        </main>
        <Notices />
      </div>
      {child !== null && <BottomBar childId={child.child_id} />}
    </div>
  );
}

/** After a navigation the page's heading takes the focus, unless what was pressed asked to keep it. */
function useFocusOnNavigation() {
  const { pathname, state } = useLocation();
  const shown = useRef(pathname);
  // With the new page itself: whoever types or listens at once is there already.
  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (!historyState(state).keepFocus) focusHeading();
  }, [pathname, state]);
}
