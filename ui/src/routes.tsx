import { t } from "@lingui/core/macro";
import type { QueryClient } from "@tanstack/react-query";
import { type ComponentType, Suspense, lazy as lazyComponent, useEffect } from "react";
import { type LoaderFunction, Outlet, type RouteObject } from "react-router";

import { prefetchActivities } from "./activities/requests";
import { followLanguageOfOtherTabs } from "./api/catalogues";
import { getGetAttentionQueryOptions } from "./api/generated/client/attention/attention";
import { getListBlockedTopicsQueryOptions } from "./api/generated/client/blocked-topics/blocked-topics";
import {
  getGetSignInMethodsQueryOptions,
  getListSignInsQueryOptions,
} from "./api/generated/client/identity/identity";
import { getGetReviewerQueryOptions } from "./api/generated/client/reviewer/reviewer";
import { getGetContextQueryOptions, getGetTimesQueryOptions } from "./api/generated/client/rules/rules";
import {
  getGetPushSubscriptionQueryOptions,
  getGetSubscriptionQueryOptions,
} from "./api/generated/client/subscription/subscription";
import { getGetMetricsQueryOptions, getGetSummaryQueryOptions } from "./api/generated/client/summary/summary";
import { childLoader } from "./children/child-loader";
import { IndexPage } from "./children/IndexPage";
import { useIdentity } from "./identity/identity";
import { IdentityProvider } from "./identity/IdentityProvider";
import { prefetchLoader } from "./identity/prefetch";
import { ChildLayout } from "./layout/ChildLayout";
import { IdentityGate, LoadingScreen } from "./layout/IdentityGate";
import { NotFoundPage } from "./layout/NotFoundPage";
import { ProtectedLayout } from "./layout/ProtectedLayout";
import { PageFailed, RouteFailed } from "./layout/RouteFailed";
import { StepUp } from "./layout/StepUp";
import { idIn } from "./paths";
import { prefetchTranscripts } from "./transcripts/requests";
import { useLanguage } from "./ui/language";
import { LoadingPage } from "./ui/LoadingPage";
import { PageStateKeeper } from "./ui/page-state";
import { Redirect } from "./ui/Redirect";
import { followOtherTabs } from "./ui/theme";

type LoadPage = () => Promise<ComponentType>;

const settings = () => import("./settings/pages");

/** Loads the code of each page in the frame. */
const pages = {
  summary: async () => (await import("./summary/SummaryPage")).SummaryPage,
  activities: async () => (await import("./activities/ActivitiesPage")).ActivitiesPage,
  metrics: async () => (await import("./metrics/MetricsPage")).MetricsPage,
  transcripts: async () => (await import("./transcripts/TranscriptsPage")).TranscriptsPage,
  deleted: async () => (await import("./retention/DeletedPage")).DeletedPage,
  alerts: async () => (await import("./alerts/AlertsPage")).AlertsPage,
  context: async () => (await import("./context/ContextPage")).ContextPage,
  blockedTopics: async () => (await import("./blocked-topics/BlockedTopicsPage")).BlockedTopicsPage,
  tries: async () => (await import("./tries/TriesPage")).TriesPage,
  aTry: async () => (await import("./tries/TryPage")).TryPage,
  settings: async () => (await settings()).SettingsPage,
  times: async () => (await settings()).TimesPage,
  assistants: async () => (await settings()).AssistantsPage,
  connect: async () => (await settings()).ConnectPage,
  people: async () => (await settings()).PeoplePage,
  reviewer: async () => (await import("./settings/ReviewerPage")).ReviewerPage,
  profile: async () => (await settings()).ProfilePage,
  subscription: async () => (await import("./notifications/NotificationsPage")).NotificationsPage,
  you: async () => (await import("./settings/YouWithMessages")).YouWithMessages,
} satisfies Record<string, LoadPage>;

/** Loaded soon after the first page, so that it works without a connection. */
const preloaded = [
  ...Object.values(pages),
  () => import("./identity/SignOutEverywhere"),
  () => import("./identity/StepUpDialog"),
];

// Code-split, because it is rarely rendered.
const WithoutChild = lazyComponent(async () => ({
  default: (await import("./household/WithoutChild")).WithoutChild,
}));

const withoutChild = (
  <Suspense fallback={null}>
    <WithoutChild />
  </Suspense>
);

export function createRoutes(queries: QueryClient): RouteObject[] {
  const summaryLoader = childLoader(queries, (childId) => {
    void queries.prefetchQuery(getGetSummaryQueryOptions(childId));
    void queries.prefetchQuery(getGetMetricsQueryOptions(childId));
    void queries.prefetchQuery(getGetTimesQueryOptions(childId));
    void queries.prefetchQuery(getGetAttentionQueryOptions());
  });
  const summary = pageInFrame(pages.summary, summaryLoader);
  const activitiesLoader = childLoader(queries, (childId) => prefetchActivities(queries, childId));
  const activities = pageInFrame(pages.activities, activitiesLoader);
  const transcripts = childLoader(queries, (childId, search) =>
    prefetchTranscripts(queries, childId, idIn(search.get("session"))),
  );
  const blockedTopics = childLoader(queries, (childId) =>
    queries.prefetchQuery(getListBlockedTopicsQueryOptions(childId)),
  );
  const context = childLoader(queries, (childId) =>
    queries.prefetchQuery(getGetContextQueryOptions(childId)),
  );
  const metrics = childLoader(queries, (childId) =>
    queries.prefetchQuery(getGetMetricsQueryOptions(childId)),
  );
  const times = childLoader(queries, (childId) => queries.prefetchQuery(getGetTimesQueryOptions(childId)));
  const reviewer = childLoader(queries, (childId) =>
    queries.prefetchQuery(getGetReviewerQueryOptions(childId)),
  );
  const subscription = childLoader(queries, () => {
    void queries.prefetchQuery(getGetSubscriptionQueryOptions());
    void queries.prefetchQuery(getGetPushSubscriptionQueryOptions());
    void queries.prefetchQuery(getGetSignInMethodsQueryOptions());
  });
  const you = prefetchLoader(() => queries.prefetchQuery(getListSignInsQueryOptions()));
  const guarded: RouteObject[] = [
    { index: true, ...redirectingTo(summary), element: <IndexPage withoutChild={withoutChild} /> },
    {
      path: "/child/:childId",
      element: <ChildLayout />,
      children: [
        { index: true, ...redirectingTo(summary), element: <Redirect to="summary" /> },
        { path: "summary", ...summary },
        { path: "activities", ...redirectingTo(activities), element: <Redirect to="completed" /> },
        { path: "activities/:activityType", ...activities },
        { path: "metrics", ...pageInFrame(pages.metrics, metrics) },
        { path: "transcripts", ...pageInFrame(pages.transcripts, transcripts) },
        { path: "transcripts/deleted", ...pageInFrame(pages.deleted) },
        { path: "alerts/phrases?", ...pageInFrame(pages.alerts) },
        { path: "context", ...pageInFrame(pages.context, context) },
        { path: "topic-blocklist", ...pageInFrame(pages.blockedTopics, blockedTopics) },
        { path: "topic-blocklist/try", ...pageInFrame(pages.tries) },
        { path: "topic-blocklist/try/:tryId", ...pageInFrame(pages.aTry) },
        { path: "settings", ...pageInFrame(pages.settings, times) },
        { path: "settings/times", ...pageInFrame(pages.times, times) },
        { path: "settings/assistants", ...pageInFrame(pages.assistants) },
        { path: "settings/assistants/connect/:source?/:question?", ...pageInFrame(pages.connect) },
        { path: "settings/people", ...pageInFrame(pages.people) },
        { path: "settings/ai-reader", ...pageInFrame(pages.reviewer, reviewer) },
        { path: "settings/profile", ...pageInFrame(pages.profile) },
        { path: "subscription", ...pageInFrame(pages.subscription, subscription) },
      ],
    },
    { path: "/you", ...pageInFrame(pages.you, you) },
    { path: "*", element: <NotFoundPage /> },
  ];
  return [
    {
      element: <App />,
      errorElement: <RouteFailed />,
      children: [
        { path: "/login", ...standalonePage(async () => (await import("./identity/LoginPage")).LoginPage) },
        {
          path: "/finish-sign-in",
          ...standalonePage(async () => (await import("./identity/FinishSignInPage")).FinishSignInPage),
        },
        {
          path: "/welcome",
          ...standalonePage(async () => (await import("./identity/WelcomePage")).WelcomePage),
        },
        {
          path: "/invitation",
          ...standalonePage(async () => (await import("./identity/InvitationPage")).InvitationPage),
        },
        { path: "/pair", ...standalonePage(async () => (await import("./identity/PairPage")).PairPage) },
        {
          path: "/address",
          ...standalonePage(async () => (await import("./identity/AddressPage")).AddressPage),
        },
        {
          element: <ProtectedLayout withoutFrame />,
          children: [
            {
              path: "/child/:childId/for-child",
              element: <ChildLayout />,
              children: [
                {
                  index: true,
                  ...standalonePage(
                    async () => (await import("./child-notice/ChildNoticePage")).ChildNoticePage,
                  ),
                },
              ],
            },
          ],
        },
        {
          element: <ProtectedLayout preload={preloaded} />,
          children: [{ errorElement: <PageFailed />, children: guarded }],
        },
      ],
    },
  ];
}

/** A page inside the frame. The frame is rendered while the page's code and data load. */
function pageInFrame(load: LoadPage, loader: LoaderFunction = () => null) {
  return {
    hydrateFallbackElement: <LoadingPageOfRoute />,
    lazy: { Component: load },
    loader,
  };
}

/** The loader of an address that redirects to a page: starts to load that page's code and data. */
function redirectingTo({ hydrateFallbackElement, lazy, loader }: ReturnType<typeof pageInFrame>) {
  // The router removes it from `lazy` once the page's own route has loaded it.
  const { Component: load } = lazy;
  const loadAhead: LoaderFunction = (...args) => {
    // If it fails, the page's own route loads it again and shows the error.
    load().catch(() => {});
    return loader(...args);
  };
  return { hydrateFallbackElement, loader: loadAhead };
}

/** A page without the frame. */
function standalonePage(load: LoadPage) {
  return { hydrateFallbackElement: <LoadingScreenOfRoute />, lazy: { Component: load } };
}

function LoadingPageOfRoute() {
  return <LoadingPage sentence={t`Loading page...`} />;
}

function LoadingScreenOfRoute() {
  return <LoadingScreen sentence={t`Loading page...`} />;
}

function App() {
  useEffect(followOtherTabs, []);
  useEffect(followLanguageOfOtherTabs, []);
  return (
    <IdentityProvider>
      <Pages />
    </IdentityProvider>
  );
}

function Pages() {
  const { identity } = useIdentity();
  const language = useLanguage();
  return (
    <PageStateKeeper forgets={identity.kind === "signed-out" && identity.byChoice}>
      {/* Remounted in another language, because a sentence may come from any function. */}
      <IdentityGate key={language}>
        <StepUp>
          <Outlet />
        </StepUp>
      </IdentityGate>
    </PageStateKeeper>
  );
}
