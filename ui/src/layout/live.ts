/** Keeps the page up to date: follows the child's event stream and refetches what the events name. */
import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { readEvents } from "../api/event-stream";
import { getListChildrenQueryKey } from "../api/generated/client/children/children";
import { getStreamEventsUrl } from "../api/generated/client/events/events";
import { getListRequestsUrl } from "../api/generated/client/household/household";
import { getListAskingDevicesUrl } from "../api/generated/client/identity/identity";

/** The delay before the first reconnect. It doubles with each attempt, up to the maximum. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** The page says how old it is when its stream has been lost for this long. */
const LOST_MS = 10_000;

/** For a conversation of more pages, only the last page is refetched. */
const FEW_PAGES = 3;

/** The paths below `/api/child/{id}` that an event affects, if not the one of its name alone. */
const BELOW_CHILD: Record<string, readonly string[]> = {
  summary: ["/summary", "/metrics"],
  times: ["/times", "/metrics"],
  receipts: ["/rules/receipts"],
};

/** The prefixes of the addresses that an event affects; null if it affects all. */
export function addressesOf(childId: number, event: string): readonly string[] | null {
  const ofChild = getStreamEventsUrl(childId).replace(/\/events$/u, "");
  if (event === "requests") return [getListRequestsUrl()];
  if (event === "asking_devices") return [getListAskingDevicesUrl()];
  const session = /^session (\d+)$/u.exec(event)?.[1];
  if (session === undefined) {
    if (event === "everything" || !/^[a-z_]+$/u.test(event)) return null;
    return (BELOW_CHILD[event] ?? [`/${event}`]).map((path) => ofChild + path);
  }
  // A delivery also updates when the assistant was last seen.
  const ofSession = ["/metrics", "/rules/receipts", "/search"].map((path) => ofChild + path);
  return ["/api/sessions", `/api/sessions/${session}`, ...ofSession];
}

/** Whether an event about these addresses makes a query stale. */
function isAbout({ queryKey, state }: Query, addresses: readonly string[]): boolean {
  const [first, second] = queryKey;
  const isInfinite = first === "infinite";
  const address = isInfinite ? second : first;
  if (typeof address !== "string") return false;
  if (address.endsWith("/messages")) {
    const few = pagesIn(state.data) <= FEW_PAGES;
    if (isInfinite && !few) return false;
  }
  return addresses.some((it) =>
    it === "/api/sessions" ? address === it : address === it || address.startsWith(`${it}/`),
  );
}

function pagesIn(data: unknown): number {
  const isPaged = typeof data === "object" && data !== null && "pages" in data;
  return isPaged && Array.isArray(data.pages) ? data.pages.length : 0;
}

function refetch(queries: QueryClient, childId: number, event: string): void {
  const addresses = addressesOf(childId, event);
  invalidate(queries, (query) => addresses === null || isAbout(query, addresses));
}

/** Refetches the matching queries on screen, including those being fetched: their response may predate the change. */
function invalidate(queries: QueryClient, predicate: (query: Query) => boolean): void {
  // `invalidateQueries` neither cancels nor repeats the first fetch of a query, so it is repeated here once it has ended.
  const first = queries.getQueryCache().findAll({
    fetchStatus: "fetching",
    predicate: (query) => query.state.data === undefined && predicate(query),
  });
  void queries.invalidateQueries({ predicate });
  for (const query of first) {
    const again = () => queries.invalidateQueries({ predicate: (it) => it === query });
    void query.promise?.then(again, again);
  }
}

/** Follows a child's events while the page is visible. `onLost` gets the time of the loss, or null once reconnected. */
function follow(queries: QueryClient, childId: number, onLost: (since: Date | null) => void): () => void {
  let current: AbortController | null = null;
  const stop = () => {
    current?.abort();
    current = null;
  };
  const start = () => {
    if (current !== null) return;
    current = new AbortController();
    void keepOpen(queries, childId, current.signal, onLost);
  };
  const update = () => (document.visibilityState === "visible" ? start() : stop());
  update();
  document.addEventListener("visibilitychange", update);
  // Once the network is back, reconnect without a delay.
  const restart = () => {
    stop();
    update();
  };
  addEventListener("online", restart);
  return () => {
    document.removeEventListener("visibilitychange", update);
    removeEventListener("online", restart);
    stop();
  };
}

async function keepOpen(
  queries: QueryClient,
  childId: number,
  signal: AbortSignal,
  onLost: (since: Date | null) => void,
): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  let wasLost = false;
  while (!signal.aborted) {
    const onOpen = (unchangedForMs: number) => {
      pause = FIRST_PAUSE_MS;
      onLost(null);
      if (wasLost || unchangedForMs <= ageOfPage()) invalidate(queries, () => true);
    };
    // oxlint-disable-next-line no-await-in-loop -- the streams are sequential
    await readEvents(childId, signal, {
      onOpen,
      onEvent: (event) => refetch(queries, childId, event),
    }).catch(() => {});
    if (signal.aborted) return;
    wasLost = true;
    onLost(new Date());
    // oxlint-disable-next-line no-await-in-loop -- jitter, so that clients don't reconnect simultaneously
    await sleep(pause * (0.75 + Math.random() / 2), signal);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    // The guardian may have lost access to the child. Refetched after the delay, because signing out ends the stream too and
    // leaves this page meanwhile.
    if (!signal.aborted) void queries.invalidateQueries({ queryKey: getListChildrenQueryKey() });
  }
}

/** The time since the page was loaded, in ms. It may exclude the time that the device slept. */
function ageOfPage(): number {
  return Math.max(performance.now(), Date.now() - performance.timeOrigin);
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Keeps a child's pages up to date. Returns since when they are stale, or null unless the stream was lost for `LOST_MS`. */
export function useLiveUpdates(childId: number | null): string | null {
  const queries = useQueryClient();
  const [asOf, setAsOf] = useState<string | null>(null);
  useEffect(() => {
    if (childId === null) return undefined;
    let lostSince: Date | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unfollow = follow(queries, childId, (since) => {
      if (since === null) {
        lostSince = null;
        clearTimeout(timer);
        setAsOf(null);
      } else if (lostSince === null) {
        lostSince = since;
        timer = setTimeout(() => setAsOf(since.toISOString()), LOST_MS);
      }
    });
    return () => {
      unfollow();
      clearTimeout(timer);
      setAsOf(null);
    };
  }, [queries, childId]);
  return asOf;
}
