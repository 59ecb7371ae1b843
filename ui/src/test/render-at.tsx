import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { RouterProvider, createMemoryRouter } from "react-router";

import { FakeBackend } from "./fake-backend";
import { server } from "./server";
import { dropToken } from "../api/identity-token";
import { createQueryClient } from "../api/query-client";
import { createRoutes } from "../routes";

interface Visit {
  /** The guardian whose refresh cookie the browser has; null without a cookie. */
  as?: string | null;
  backend?: FakeBackend;
  /** Whether to use React's strict mode, which runs each effect twice. */
  strict?: boolean;
}

/** Renders the whole app at an address, with a fake backend. */
export function renderAt(
  path: string | { pathname: string; state: unknown },
  { as = "parent@example.com", backend = new FakeBackend(), strict = false }: Visit = {},
) {
  backend.signedInAs = as;
  dropToken();
  server.use(...backend.handlers);
  const queries = createQueryClient({ retries: 0 });
  const router = createMemoryRouter(createRoutes(queries), { initialEntries: [path] });
  const { unmount } = render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>,
    { reactStrictMode: strict },
  );
  return {
    backend,
    queries,
    router,
    unmount,
    user: userEvent.setup(),
    /** The current address. */
    path: () => router.state.location.pathname + router.state.location.search + router.state.location.hash,
  };
}
