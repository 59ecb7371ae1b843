import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type ComponentType, useEffect } from "react";
import { type RouteObject, matchRoutes, useLocation, useNavigation } from "react-router";

import type { Guardian } from "../api/identity-token";
import { findNamedChild, useChildren } from "../children/children";
import { isKnownChild, keepKnownChildren } from "../children/known-children";
import { idIn } from "../paths";

type AskForChild = (queries: QueryClient, childId: number, search: URLSearchParams) => void;

/** In the `handle` of a page: brings what the page consists of, its code and its data, before the page is there. */
export class Prefetch {
  /** Loads the page's file. */
  readonly load: () => Promise<ComponentType>;
  /** Asks the server for what the page will ask for; with null when the address names no child of the guardian's. */
  readonly ask: (queries: QueryClient, childId: number | null, search: URLSearchParams) => void;

  constructor(load: Prefetch["load"], ask: Prefetch["ask"] = () => {}) {
    this.load = load;
    this.ask = ask;
  }

  /** For a page of a child's. */
  static ofChild(load: Prefetch["load"], ask: AskForChild): Prefetch {
    return new Prefetch(load, (queries, childId, search) => {
      if (childId !== null) ask(queries, childId, search);
    });
  }
}

/** The code of the other pages is loaded this long after the app was opened. */
const IDLE_MS = 2000;

function prefetchesIn(routes: RouteObject[]): Prefetch[] {
  return routes.flatMap(({ handle, children }): Prefetch[] => [
    ...(handle instanceof Prefetch ? [handle] : []),
    ...prefetchesIn(children ?? []),
  ]);
}

/**
 * Brings what the page that is being opened needs, one thing beside the other:
 *
 * - its code, which the router would load only once an address that leads on to the page has done so;
 * - its data, which the page would ask for only once its code is there. When the app is opened, it is asked for together
 *   with the list of children if the child was in that list at the last visit. Nothing is asked about any other child
 *   before the list has it.
 *
 * Pages whose code is there ask for themselves.
 */
export function usePrefetch(routes: RouteObject[], guardian: Guardian) {
  const queries = useQueryClient();
  const { list } = useChildren();
  const here = useLocation();
  const { location: ahead } = useNavigation();
  const { pathname, search } = ahead ?? here;
  const page = matchRoutes(routes, pathname)?.at(-1);
  const handle: unknown = page?.route.handle;
  const named = page?.params["childId"];
  const loading = list.status === "loading";
  const opening = loading || ahead !== undefined;
  const id = idIn(named);
  const listed = loading
    ? id !== null && isKnownChild(guardian.id, id)
    : findNamedChild(list, named) !== null;
  const childId = listed ? id : null;

  useEffect(() => {
    if (list.status === "loaded") keepKnownChildren(guardian.id, list.children);
  }, [guardian.id, list]);

  useEffect(() => {
    // So that no page lacks its code when the connection is gone.
    const waiting = setTimeout(() => {
      for (const { load } of prefetchesIn(routes)) load().catch(() => {});
    }, IDLE_MS);
    return () => clearTimeout(waiting);
  }, [routes]);
  useEffect(() => {
    // A file that does not come is the router's to tell of, if the page is opened.
    if (handle instanceof Prefetch) handle.load().catch(() => {});
  }, [handle]);
  useEffect(() => {
    if (opening && handle instanceof Prefetch) handle.ask(queries, childId, new URLSearchParams(search));
  }, [opening, handle, childId, search, queries]);
}
