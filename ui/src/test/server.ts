import { setupServer } from "msw/node";

/** Stands between the tests and the network. Each `renderAt` puts its own fake backend behind it. */
export const server = setupServer();
