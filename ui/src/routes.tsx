import type { ComponentType } from "react";
import { Navigate, Outlet, type RouteObject } from "react-router";

import { prefetchActivities } from "./activities/lists";
import { prefetchBlockedTopics } from "./blocked-topics/kept-list";
import { IndexPage } from "./children/IndexPage";
import { IdentityProvider } from "./identity/IdentityProvider";
import { ChildLayout } from "./layout/ChildLayout";
import { IdentityGate, LoadingApplication } from "./layout/IdentityGate";
import { LoadingPage } from "./layout/LoadingPage";
import { NotFoundPage } from "./layout/NotFoundPage";
import { Prefetch } from "./layout/prefetch";
import { ProtectedLayout } from "./layout/ProtectedLayout";
import { RouteFailed } from "./layout/RouteFailed";
import { idIn } from "./paths";
import { prefetchSummary } from "./summary/prefetch";
import { prefetchTranscripts } from "./transcripts/pages";

/**
 * Every address of the app. The frame comes with the first file; each page's own code when it is first visited. Who is
 * signed in, their children, the page's code and what it shows: none of these waits for another without need.
 */
export const createRoutes = (): RouteObject[] => [
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
        element: <ProtectedLayout />,
        children: [
          { index: true, element: <IndexPage /> },
          {
            path: "/child/:childId",
            element: <ChildLayout />,
            children: [
              { index: true, handle: summary, element: <Navigate to="summary" replace /> },
              {
                path: "summary",
                handle: summary,
                ...framed(async () => (await import("./summary/SummaryPage")).SummaryPage),
              },
              { path: "activities", handle: activities, element: <Navigate to="completed" replace /> },
              {
                path: "activities/:activityType",
                handle: activities,
                ...framed(async () => (await import("./activities/ActivitiesPage")).ActivitiesPage),
              },
              { path: "metrics", ...framed(async () => (await placeholders()).MetricsPage) },
              {
                path: "transcripts",
                handle: transcripts,
                ...framed(async () => (await import("./transcripts/TranscriptsPage")).TranscriptsPage),
              },
              { path: "context", ...framed(async () => (await placeholders()).ContextPage) },
              {
                path: "topic-blocklist",
                handle: blockedTopics,
                ...framed(async () => (await import("./blocked-topics/BlockedTopicsPage")).BlockedTopicsPage),
              },
              { path: "settings", ...framed(async () => (await placeholders()).SettingsPage) },
              { path: "subscription", ...framed(async () => (await placeholders()).SubscriptionPage) },
            ],
          },
          { path: "/sign-ins", ...framed(async () => (await import("./identity/SignInsPage")).SignInsPage) },
          { path: "*", element: <NotFoundPage /> },
        ],
      },
    ],
  },
];

const summary = new Prefetch(prefetchSummary);
const activities = new Prefetch(prefetchActivities);
const blockedTopics = new Prefetch(prefetchBlockedTopics);
const transcripts = new Prefetch((queries, childId, search) =>
  prefetchTranscripts(queries, childId, idIn(search.get("session"))),
);

const placeholders = () => import("./placeholders/PlaceholderPages");

/** A page with a file of its own, inside the frame, which does not wait for that file. */
function framed(load: () => Promise<ComponentType>) {
  return { HydrateFallback: LoadingPage, lazy: { Component: load } };
}

/** A page with a file of its own and nothing around it. */
function whole(load: () => Promise<ComponentType>) {
  return { HydrateFallback: LoadingApplication, lazy: { Component: load } };
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
