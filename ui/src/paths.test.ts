import { type RouteObject, matchRoutes } from "react-router";
import { expect, test } from "vitest";

import { childIdIn, idIn, pathForChild, paths, sections, settingsPages } from "./paths";
import { createQueryClient } from "./api/query-client";
import { createRoutes } from "./routes";

/** The path patterns of the routes that render a page or redirect. */
function patternsIn(routes: readonly RouteObject[], above = ""): string[] {
  return routes.flatMap(({ path = "", index, children }) => {
    const pattern = path.startsWith("/") ? path : `${above}/${path}`.replace(/\/$/u, "");
    if (children !== undefined) return patternsIn(children, pattern);
    return [index === true ? above || "/" : pattern];
  });
}

/** The pattern of the route that matches an address. */
function patternOf(address: string): string {
  const matches = matchRoutes(createRoutes(createQueryClient()), address) ?? [];
  const parts = matches.map(({ route }) => route.path ?? "").filter((path) => path !== "");
  return parts.reduce((above, path) => (path.startsWith("/") ? path : `${above}/${path}`), "") || "/";
}

const CONNECT = "/child/:childId/settings/assistants/connect/:source?/:question?";

/** Each function, an address that it returns, and the matching pattern. */
const addresses: readonly (readonly [
  name: keyof typeof paths,
  made: string,
  address: string,
  pattern: string,
])[] = [
  ["index", paths.index(), "/", "/"],
  ["login", paths.login(), "/login", "/login"],
  ["finishSignIn", paths.finishSignIn(), "/finish-sign-in", "/finish-sign-in"],
  ["welcome", paths.welcome(), "/welcome", "/welcome"],
  ["invitation", paths.invitation(), "/invitation", "/invitation"],
  ["address", paths.address(), "/address", "/address"],
  ["pair", paths.pair(), "/pair", "/pair"],
  ["you", paths.you(), "/you", "/you"],
  ["child", paths.child(7), "/child/7", "/child/:childId"],
  ...[...sections, ...settingsPages].map(
    (page) => ["section", paths.section(7, page), `/child/7/${page}`, `/child/:childId/${page}`] as const,
  ),
  ["connect", paths.connect(7), "/child/7/settings/assistants/connect", CONNECT],
  [
    "connect",
    paths.connect(7, "home-assistant", "name"),
    "/child/7/settings/assistants/connect/home-assistant/name",
    CONNECT,
  ],
  [
    "activities",
    paths.activities(7, "upcoming"),
    "/child/7/activities/upcoming",
    "/child/:childId/activities/:activityType",
  ],
  ["transcripts", paths.transcripts(7), "/child/7/transcripts", "/child/:childId/transcripts"],
  ["transcripts", paths.transcripts(7, 12), "/child/7/transcripts?session=12", "/child/:childId/transcripts"],
  ["alerts", paths.alerts(7), "/child/7/alerts", "/child/:childId/alerts/phrases?"],
  ["phrases", paths.phrases(7), "/child/7/alerts/phrases", "/child/:childId/alerts/phrases?"],
  ["forChild", paths.forChild(7), "/child/7/for-child", "/child/:childId/for-child"],
  ["tries", paths.tries(7), "/child/7/topic-blocklist/try", "/child/:childId/topic-blocklist/try"],
  [
    "aTry",
    paths.aTry(7, 12),
    "/child/7/topic-blocklist/try/12",
    "/child/:childId/topic-blocklist/try/:tryId",
  ],
  ["deleted", paths.deleted(7), "/child/7/transcripts/deleted", "/child/:childId/transcripts/deleted"],
];

test.each(addresses)("%s returns an address: %s", (_name, made, address, pattern) => {
  expect(made).toBe(address);
  expect(patternOf(made)).toBe(pattern);
});

test("every route has a function that returns its address, and every function has a row above", () => {
  // No function returns an address for "*".
  const routes = patternsIn(createRoutes(createQueryClient())).filter((pattern) => !pattern.endsWith("*"));

  expect(routes.length).toBeGreaterThan(10);
  expect(new Set(addresses.map(([, , , pattern]) => pattern))).toEqual(new Set(routes));
  expect(new Set(addresses.map(([name]) => name))).toEqual(new Set(Object.keys(paths)));
});

test.each([
  ["/child/1/summary", "/child/2/summary"],
  ["/child/1/activities/upcoming", "/child/2/activities/upcoming"],
  ["/child/1/settings/times", "/child/2/settings/times"],
  ["/child/1/alerts/phrases", "/child/2/alerts/phrases"],
  ["/child/no-number/topic-blocklist", "/child/2/topic-blocklist"],
  ["/child/1", "/child/2"],
  ["/", "/child/2/summary"],
  ["/nowhere", "/child/2/summary"],
  ["/children/1/summary", "/child/2/summary"],
])("choosing child 2 on %s leads to %s", (from, to) => {
  expect(pathForChild(from, 2)).toBe(to);
});

test.each([
  ["/child/1/summary", "1"],
  ["/child/1?session=2", "1"],
  ["/child/", null],
  ["/", null],
])("%s names the child %s", (path, childId) => {
  expect(childIdIn(path)).toBe(childId);
});

test.each([
  ["7", 7],
  ["9007199254740991", 9007199254740991],
  ["9007199254740992", null],
  ["0", null],
  ["-7", null],
  ["07", null],
  ["7.0", null],
  ["7e1", null],
  [" 7", null],
  ["seven", null],
  ["", null],
  [null, null],
  [undefined, null],
])("%j is the id %j", (text, id) => {
  expect(idIn(text)).toBe(id);
});
