import { Navigate, Outlet, type RouteObject } from "react-router";

import { IndexPage } from "./children/IndexPage";
import { IdentityProvider } from "./identity/IdentityProvider";
import { ChildLayout } from "./layout/ChildLayout";
import { IdentityGate, LoadingApplication } from "./layout/IdentityGate";
import { NotFoundPage } from "./layout/NotFoundPage";
import { ProtectedLayout } from "./layout/ProtectedLayout";
import { RouteFailed } from "./layout/RouteFailed";

/** Every address of the app. The frame comes with the first file; each page's own code when it is first visited. */
export const createRoutes = (): RouteObject[] => [
  {
    element: <App />,
    errorElement: <RouteFailed />,
    HydrateFallback: LoadingApplication,
    children: [
      { path: "/login", lazy: { Component: async () => (await import("./identity/LoginPage")).LoginPage } },
      {
        path: "/finish-sign-in",
        lazy: { Component: async () => (await import("./identity/FinishSignInPage")).FinishSignInPage },
      },
      {
        element: <ProtectedLayout />,
        children: [
          { index: true, element: <IndexPage /> },
          {
            path: "/child/:childId",
            element: <ChildLayout />,
            children: [
              { index: true, element: <Navigate to="summary" replace /> },
              {
                path: "summary",
                lazy: { Component: async () => (await import("./summary/SummaryPage")).SummaryPage },
              },
              { path: "activities", element: <Navigate to="completed" replace /> },
              {
                path: "activities/:activityType",
                lazy: { Component: async () => (await import("./activities/ActivitiesPage")).ActivitiesPage },
              },
              { path: "metrics", lazy: { Component: async () => (await placeholders()).MetricsPage } },
              {
                path: "transcripts",
                lazy: {
                  Component: async () => (await import("./transcripts/TranscriptsPage")).TranscriptsPage,
                },
              },
              { path: "context", lazy: { Component: async () => (await placeholders()).ContextPage } },
              {
                path: "topic-blocklist",
                lazy: {
                  Component: async () =>
                    (await import("./blocked-topics/BlockedTopicsPage")).BlockedTopicsPage,
                },
              },
              { path: "settings", lazy: { Component: async () => (await placeholders()).SettingsPage } },
              {
                path: "subscription",
                lazy: { Component: async () => (await placeholders()).SubscriptionPage },
              },
            ],
          },
          {
            path: "/sign-ins",
            lazy: { Component: async () => (await import("./identity/SignInsPage")).SignInsPage },
          },
          { path: "*", element: <NotFoundPage /> },
        ],
      },
    ],
  },
];

const placeholders = () => import("./placeholders/PlaceholderPages");

function App() {
  return (
    <IdentityProvider>
      <IdentityGate>
        <Outlet />
      </IdentityGate>
    </IdentityProvider>
  );
}
