import type { ComponentType } from "react";
import { Navigate, Outlet, type RouteObject } from "react-router";

import { prefetchActivities } from "./activities/lists";
import { prefetchBlockedTopics } from "./blocked-topics/kept-list";
import { IndexPage } from "./children/IndexPage";
import { IdentityProvider } from "./identity/IdentityProvider";
import { prefetchSignIns } from "./identity/prefetch";
import { ChildLayout } from "./layout/ChildLayout";
import { IdentityGate, LoadingScreen } from "./layout/IdentityGate";
import { LoadingPage } from "./layout/LoadingPage";
import { NotFoundPage } from "./layout/NotFoundPage";
import { Prefetch } from "./layout/prefetch";
import { ProtectedLayout } from "./layout/ProtectedLayout";
import { PageFailed, RouteFailed } from "./layout/RouteFailed";
import { idIn } from "./paths";
import { prefetchSummary } from "./summary/prefetch";
import { prefetchTranscripts } from "./transcripts/pages";

const summary = Prefetch.ofChild(
  async () => (await import("./summary/SummaryPage")).SummaryPage,
  prefetchSummary,
);
const activities = Prefetch.ofChild(
  async () => (await import("./activities/ActivitiesPage")).ActivitiesPage,
  prefetchActivities,
);
const transcripts = Prefetch.ofChild(
  async () => (await import("./transcripts/TranscriptsPage")).TranscriptsPage,
  (queries, childId, search) => prefetchTranscripts(queries, childId, idIn(search.get("session"))),
);
const blockedTopics = Prefetch.ofChild(
  async () => (await import("./blocked-topics/BlockedTopicsPage")).BlockedTopicsPage,
  prefetchBlockedTopics,
);
const signIns = new Prefetch(
  async () => (await import("./identity/SignInsPage")).SignInsPage,
  prefetchSignIns,
);
const placeholders = () => import("./placeholders/PlaceholderPages");

/** The pages of a signed-in guardian. An address that only leads on has the handle of the page that it leads to. */
const guardedRoutes = (): RouteObject[] => [
  { index: true, handle: summary, element: <IndexPage /> },
  {
    path: "/child/:childId",
    element: <ChildLayout />,
    children: [
      { index: true, handle: summary, element: <Navigate to="summary" replace /> },
      { path: "summary", ...framed(summary) },
      { path: "activities", handle: activities, element: <Navigate to="completed" replace /> },
      { path: "activities/:activityType", ...framed(activities) },
      { path: "metrics", ...framed(new Prefetch(async () => (await placeholders()).MetricsPage)) },
      { path: "transcripts", ...framed(transcripts) },
      { path: "context", ...framed(new Prefetch(async () => (await placeholders()).ContextPage)) },
      { path: "topic-blocklist", ...framed(blockedTopics) },
      { path: "settings", ...framed(new Prefetch(async () => (await placeholders()).SettingsPage)) },
      { path: "subscription", ...framed(new Prefetch(async () => (await placeholders()).SubscriptionPage)) },
    ],
  },
  { path: "/sign-ins", ...framed(signIns) },
  { path: "*", element: <NotFoundPage /> },
];

/**
 * Every address of the app. The frame comes with the first file; each page's own code when it is first visited. Who is
 * signed in, their children, the page's code and what it shows: none of these waits for another without need.
 */
export function createRoutes(): RouteObject[] {
  const guarded = guardedRoutes();
  return [
    {
      element: <App />,
      errorElement: <RouteFailed />,
      children: [
        { path: "/login", ...whole(async () => (await import("./identity/LoginPage")).LoginPage) },
        {
          path: "/finish-sign-in",
          ...whole(async () => (await import("./identity/FinishSignInPage")).FinishSignInPage),
        },
        {
          element: <ProtectedLayout routes={guarded} />,
          children: [{ errorElement: <PageFailed />, children: guarded }],
        },
      ],
    },
  ];
}

/** A page with a file of its own, inside the frame, which does not wait for that file. */
function framed(page: Prefetch): RouteObject {
  return { handle: page, HydrateFallback: LoadingPage, lazy: { Component: page.load } };
}

/** A page with a file of its own and nothing around it. */
function whole(load: () => Promise<ComponentType>): RouteObject {
  return { hydrateFallbackElement: <LoadingScreen sentence="Loading page..." />, lazy: { Component: load } };
}

function App() {
  return (
    <IdentityProvider>
      <IdentityGate>
        <Outlet />
      </IdentityGate>
    </IdentityProvider>
  );
}
