import { setupServer } from "msw/node";

/** Intercepts the requests of the tests. Each `renderAt` installs its own fake backend. */
export const server = setupServer();
