import { Trans } from "@lingui/react/macro";
import { Suspense, lazy, useEffect, useLayoutEffect, useRef } from "react";
import { Navigate, NavigationType, Outlet, useLocation, useNavigationType } from "react-router";

import { BottomBar } from "./BottomBar";
import { GuardianMenu } from "./GuardianMenu";
import { preloadInTurn } from "./preload";
import { SideNavigation } from "./SideNavigation";
import type { Guardian } from "../api/identity-token";
import { ChildrenProvider } from "../children/ChildrenProvider";
import { ChildSelector } from "../children/ChildSelector";
import { findNamedChild, useChildren } from "../children/children";
import { keepDeepLink } from "../identity/deep-link";
import { useIdentity } from "../identity/identity";
import { NewSignInNotice } from "../identity/NewSignInNotice";
import { RecoveryNotice } from "../identity/RecoveryNotice";
import { PlainAddressNotice } from "../identity/PlainAddressNotice";
import { RestoredNotice } from "../notifications/RestoredNotice";
import { childIdIn } from "../paths";
import { focusHeading } from "../ui/focus";
import { type HistoryState, historyState } from "../ui/history-state";
import { PageStateProvider } from "../ui/page-state";

// Code-split, so that the frame shows sooner.
const Bell = lazy(async () => ({ default: (await import("../alerts/Bell")).Bell }));
const Notices = lazy(async () => ({ default: (await import("./Notices")).Notices }));

// Code-split, because they are rarely rendered.
const AskingDevicesNotice = lazy(async () => ({
  default: (await import("../identity/AskingDevicesNotice")).AskingDevicesNotice,
}));
const RequestsNotice = lazy(async () => ({
  default: (await import("../household/RequestsNotice")).RequestsNotice,
}));

/** The delay after which the code of the other pages is preloaded. */
const PRELOAD_MS = 2000;

interface ProtectedLayoutProps {
  /** Load the code of the pages, so that these open even if the connection is lost. */
  preload?: readonly (() => Promise<unknown>)[];
  /** For a page that is shown to somebody else: without navigation, menu and notices. */
  withoutFrame?: boolean;
}

const nothing: readonly (() => Promise<unknown>)[] = [];

/** A page for a signed-in guardian, in its frame. Redirects to /login if nobody is signed in. */
export function ProtectedLayout({ preload = nothing, withoutFrame = false }: ProtectedLayoutProps) {
  const { identity } = useIdentity();
  const { pathname, search } = useLocation();
  if (identity.kind !== "signed-in") {
    return (
      <RedirectToLogin from={pathname + search} keep={identity.kind === "signed-out" && !identity.byChoice} />
    );
  }
  // `key`: another guardian in this tab starts with no state of the previous one.
  return (
    <PageStateProvider key={identity.guardian.id} owner={identity.guardian.id}>
      <ChildrenProvider guardianId={identity.guardian.id}>
        {withoutFrame ? <Outlet /> : <Frame guardian={identity.guardian} preload={preload} />}
      </ChildrenProvider>
    </PageStateProvider>
  );
}

/** Redirects to /login. `keep`: after the sign-in the guardian returns to `from`. */
function RedirectToLogin({ from, keep }: { from: string; keep: boolean }) {
  useEffect(() => {
    if (keep) keepDeepLink(from);
  }, [from, keep]);
  return <Navigate to="/login" replace state={keep ? ({ from } satisfies HistoryState) : null} />;
}

interface FrameProps {
  guardian: Guardian;
  preload: readonly (() => Promise<unknown>)[];
}

function Frame({ guardian, preload }: FrameProps) {
  const { list, selected, select } = useChildren();
  const childIdInAddress = childIdIn(useLocation().pathname);
  const named = findNamedChild(list, childIdInAddress);
  const child = named ?? selected;
  useEffect(() => {
    if (named !== null) select(named.child_id);
  }, [named, select]);
  // A page that isn't about a child follows the selected child's events, because these include events about the guardian.
  const followed = childIdInAddress === null ? selected : named;
  const main = useRef<HTMLElement>(null);
  useFocusOnNavigation();
  useEffect(() => {
    const leaving = new AbortController();
    const timer = setTimeout(() => void preloadInTurn(preload, leaving.signal), PRELOAD_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [preload]);

  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
        className="absolute top-2 start-2 z-40 rounded-control bg-primary px-4 py-2.5 font-bold text-on-primary not-focus:sr-only"
      >
        <Trans>Skip to the content</Trans>
      </a>
      <SideNavigation childId={child?.child_id ?? null} />
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="top-0 z-20 [@media(min-height:28rem)]:sticky border-b border-line bg-page pt-[env(safe-area-inset-top)] print:hidden">
          <div className="mx-auto flex h-16 max-w-(--frame) items-center justify-between gap-3 px-4 md:px-6">
            <div className="min-w-0">
              <ChildSelector />
            </div>
            <div className="relative flex shrink-0 gap-2">
              {list.kind === "loaded" && list.children.length > 0 && (
                <Suspense fallback={<span className="size-11" />}>
                  <Bell items={list.children} />
                </Suspense>
              )}
              <GuardianMenu guardian={guardian} />
            </div>
          </div>
        </header>
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className="mx-auto w-full max-w-(--frame) flex-1 px-4 pt-5 pb-[calc(var(--bar)+2.5rem)] md:px-6 md:pt-7 [&>:not([data-wide])]:max-w-[55rem]"
        >
          <PlainAddressNotice guardian={guardian} />
          <NewSignInNotice />
          {list.kind === "loaded" && <RecoveryNotice guardianId={guardian.id} />}
          <RestoredNotice />
          {list.kind === "loaded" && (
            <Suspense fallback={null}>
              <AskingDevicesNotice polls={followed === null} />
            </Suspense>
          )}
          {child !== null && (named !== null || childIdInAddress === null) && (
            <Suspense fallback={null}>
              <RequestsNotice childId={named?.child_id ?? null} />
            </Suspense>
          )}
          <Outlet />
        </main>
        <Suspense fallback={null}>
          <Notices childId={followed?.child_id ?? null} />
        </Suspense>
      </div>
      {child !== null && <BottomBar childId={child.child_id} />}
    </div>
  );
}

/** After a navigation, also from a page outside of this layout, focuses the page's heading, unless the history state says `keepFocus`. */
function useFocusOnNavigation() {
  const { pathname, state } = useLocation();
  const isFromOutside = useNavigationType() === NavigationType.Push;
  const previous = useRef(isFromOutside ? null : pathname);
  // A layout effect, so that the focus moves before the page is painted.
  useLayoutEffect(() => {
    if (previous.current === pathname) return;
    previous.current = pathname;
    // A menu that was opened while "/" was still redirecting would close if it lost the focus.
    const inMenu = document.activeElement?.matches("[role=menu] *") === true;
    if (!inMenu && !historyState(state).keepFocus) focusHeading();
  }, [pathname, state]);
}
