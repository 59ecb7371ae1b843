/** Keeps what is on screen up to date: follows the child's stream of events, and refetches what they name. */
import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { readEvents } from "../api/event-stream";
import { getListChildrenQueryKey } from "../api/generated/client/children/children";
import { getStreamEventsUrl } from "../api/generated/client/events/events";
import { getListRequestsUrl } from "../api/generated/client/household/household";
import { getListAskingDevicesUrl } from "../api/generated/client/identity/identity";

/** The pause before the first try to reconnect. It doubles with each, up to the longest. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** The page says how old it is when its stream has been lost for this long. */
const LOST_MS = 10_000;

/** A conversation of more pages than this refetches its last one alone. */
const FEW_PAGES = 3;

/** What the stream of a child calls what each of these addresses below it answers. */
const BELOW_CHILD: Record<string, readonly string[]> = {
  summary: ["/summary", "/metrics"],
  activities: ["/activities"],
  blocked_topics: ["/blocked_topics"],
  context: ["/context"],
  times: ["/times", "/metrics"],
  rules: ["/rules"],
  receipts: ["/rules/receipts"],
  history: ["/history"],
  erased_sessions: ["/erased_sessions"],
};

/** The beginnings of the addresses whose answers an event is about; null if it is about everything. */
export function addressesOf(childId: number, event: string): readonly string[] | null {
  const below = BELOW_CHILD[event];
  const ofChild = getStreamEventsUrl(childId).replace(/\/events$/u, "");
  if (below !== undefined) return below.map((path) => ofChild + path);
  if (event === "requests") return [getListRequestsUrl()];
  if (event === "asking_devices") return [getListAskingDevicesUrl()];
  const session = /^session (\d+)$/u.exec(event)?.[1];
  if (session === undefined) return null;
  // An assistant was heard of, too.
  const ofSession = ["/metrics", "/rules/receipts", "/search"].map((path) => ofChild + path);
  return ["/api/sessions", `/api/sessions/${session}`, ...ofSession];
}

/** Whether a query's answer may be another one after the event. */
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

/** Follows a child's events while the page is visible. Tells when the stream was lost, and null when it is there. */
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
  // A network that is there again needs no pause.
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
    // oxlint-disable-next-line no-await-in-loop -- one stream after the other
    await readEvents(childId, signal, {
      onOpen,
      onEvent: (event) => refetch(queries, childId, event),
    }).catch(() => {});
    if (signal.aborted) return;
    wasLost = true;
    onLost(new Date());
    // oxlint-disable-next-line no-await-in-loop -- one after the other; not all clients at once
    await sleep(pause * (0.75 + Math.random() / 2), signal);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    // The child may be another guardian's by now. Asked after the pause: who signs out, here or in another tab, ends the
    // stream too, and leaves this page meanwhile.
    if (!signal.aborted) void queries.invalidateQueries({ queryKey: getListChildrenQueryKey() });
  }
}

/** How long ago the page was loaded, in ms. Everything on it was fetched since. A device that slept may count less of it. */
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

/** Keeps the pages of a child up to date. Since when they are not, once that is worth a word; else null. */
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
