/** Keeps the page up to date: listens to the child's event stream and refetches the queries that an event affects. */
import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { readEvents } from "../api/event-stream";
import { getGetAttentionUrl } from "../api/generated/client/attention/attention";
import { getListChildrenQueryKey } from "../api/generated/client/children/children";
import { getGetHouseholdUrl, getGetRequestsUrl } from "../api/generated/client/household/household";
import { getListAskingDevicesUrl } from "../api/generated/client/identity/identity";

/** The delay before the first reconnect. It doubles with each attempt, up to the maximum. */
const INITIAL_DELAY_MS = 1000;
const MAX_DELAY_MS = 30_000;

/** Once the stream has been lost for this long, the page shows since when it is stale. */
const STALE_AFTER_MS = 10_000;

const SESSIONS_URL = "/api/sessions";
const CHILD_TALK_URL = "/api/children/talk_status";
const UNSEEN_ALERTS_URL = "/api/alerts/unseen";
const ATTENTION_URL = getGetAttentionUrl();

/** With more loaded pages, a conversation's infinite query isn't refetched, only the separate query of its last page. */
const MAX_REFETCHED_PAGES = 3;

/** The paths below `/api/child/{id}` that an event affects. By default it is the path with the event's name. */
const AFFECTED_PATHS: Record<string, readonly string[]> = {
  born: ["/born", "/for_child"],
  summary: ["/summary", "/metrics"],
  times: ["/times", "/metrics", "/talk_status"],
  rules: ["/rules", "/connections"],
  deleted_sessions: ["/deleted_sessions", "/retention"],
};

/** The prefixes of the URLs that an event affects; null if it affects all. */
export function affectedUrls(childId: number, event: string): readonly string[] | null {
  const childUrl = `/api/child/${childId}`;
  // The event doesn't name the child, so the numbers of all children are refetched, too.
  if (event === "alerts")
    return [`${childUrl}/alerts`, `${childUrl}/not_worrying`, UNSEEN_ALERTS_URL, ATTENTION_URL];
  if (event === "attention") return [ATTENTION_URL];
  if (event === "receipts") {
    const receipts = ["/rules/receipts", "/talk_status", "/connections"].map((path) => childUrl + path);
    return [...receipts, ATTENTION_URL];
  }
  // One about a shorter retention is shown with it, too.
  if (event === "requests") return [getGetRequestsUrl(), `${childUrl}/retention`];
  // The page for the child says whether a model reads along. Every page shows the consents that wait for the guardian.
  if (event === "reviewer")
    return [`${childUrl}/reviewer`, `${childUrl}/for_child`, getGetRequestsUrl(), ATTENTION_URL];
  // A try says whether an assistant gets all rules, and the page for the child that there was one.
  if (event === "tries") return [`${childUrl}/tries`, `${childUrl}/for_child`, ATTENTION_URL];
  // The changes of assistants have no event of their own.
  if (event === "history") {
    return [
      ...["/alerts", "/history", "/talk_status", "/connections"].map((path) => childUrl + path),
      getGetHouseholdUrl(),
      ATTENTION_URL,
    ];
  }
  if (event === "asking_devices") return [getListAskingDevicesUrl()];
  const session = /^session (\d+)$/u.exec(event)?.[1];
  if (session === undefined) {
    if (event === "everything" || !/^[a-z_]+$/u.test(event)) return null;
    return (AFFECTED_PATHS[event] ?? [`/${event}`]).map((path) => childUrl + path);
  }
  // A delivery also updates when the assistant was last seen, and the messages of alerts.
  const parts = ["/alerts", "/curious", "/metrics", "/rules/receipts", "/search", "/talk_status"];
  const childUrls = parts.map((path) => childUrl + path);
  return [SESSIONS_URL, `${SESSIONS_URL}/${session}`, CHILD_TALK_URL, ATTENTION_URL, ...childUrls];
}

/** Whether the data of a query is stale after an event that affects these URLs. */
function isAffected({ queryKey, state }: Query, urls: readonly string[]): boolean {
  const isInfinite = queryKey[0] === "infinite";
  const queryUrl = isInfinite ? queryKey[1] : queryKey[0];
  if (typeof queryUrl !== "string") return false;
  const isTooLong =
    isInfinite && queryUrl.endsWith("/messages") && countPages(state.data) > MAX_REFETCHED_PAGES;
  if (isTooLong) return false;
  // The URL of the session list must match exactly, because the URLs of all sessions begin with it.
  return urls.some((url) => queryUrl === url || (url !== SESSIONS_URL && queryUrl.startsWith(`${url}/`)));
}

function countPages(data: unknown): number {
  const isPaged = typeof data === "object" && data !== null && "pages" in data;
  return isPaged && Array.isArray(data.pages) ? data.pages.length : 0;
}

function refetch(queries: QueryClient, childId: number, event: string): void {
  const urls = affectedUrls(childId, event);
  invalidate(queries, (query) => urls === null || isAffected(query, urls));
}

/** Refetches the matching queries on screen, including those being fetched: their response may predate the change. */
function invalidate(queries: QueryClient, predicate: (query: Query) => boolean): void {
  // `invalidateQueries` doesn't restart a query's first fetch while it is running, so such a query is invalidated after it.
  const initialFetches = queries.getQueryCache().findAll({
    fetchStatus: "fetching",
    predicate: (query) => query.state.data === undefined && predicate(query),
  });
  void queries.invalidateQueries({ predicate });
  for (const query of initialFetches) {
    const refetchQuery = () => queries.invalidateQueries({ predicate: (other) => other === query });
    void query.promise?.then(refetchQuery, refetchQuery);
  }
}

/**
 * Listens to a child's events while the page is visible. Calls `onLost` with the time when the stream was lost, and with null
 * once it is open again. Returns a function that ends this.
 */
function listenWhileVisible(
  queries: QueryClient,
  childId: number,
  onLost: (since: Date | null) => void,
): () => void {
  let current: AbortController | null = null;
  const stop = () => {
    current?.abort();
    current = null;
  };
  const start = () => {
    if (current !== null) return;
    current = new AbortController();
    void keepStreamOpen(queries, childId, current.signal, onLost);
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

/** Reads the stream, and reconnects after a delay whenever it is lost. */
async function keepStreamOpen(
  queries: QueryClient,
  childId: number,
  signal: AbortSignal,
  onLost: (since: Date | null) => void,
): Promise<void> {
  let delay = INITIAL_DELAY_MS;
  let isReconnecting = false;
  while (!signal.aborted) {
    const onOpen = (unchangedForMs: number) => {
      delay = INITIAL_DELAY_MS;
      onLost(null);
      if (isReconnecting || unchangedForMs <= ageOfPage()) invalidate(queries, () => true);
    };
    // oxlint-disable-next-line no-await-in-loop -- the streams are sequential
    await readEvents(childId, signal, {
      onOpen,
      onEvent: (event) => refetch(queries, childId, event),
      onHeld: () => invalidate(queries, () => true),
    }).catch(() => {});
    if (signal.aborted) return;
    isReconnecting = true;
    onLost(new Date());
    // oxlint-disable-next-line no-await-in-loop -- jitter, so that clients don't reconnect simultaneously
    await sleep(delay * (0.75 + Math.random() / 2), signal);
    delay = Math.min(delay * 2, MAX_DELAY_MS);
    // The stream also ends if the guardian loses access to the child, so the list of children is refetched: after the delay,
    // because signing out ends the stream too, and leaves this page meanwhile.
    if (!signal.aborted) void queries.invalidateQueries({ queryKey: getListChildrenQueryKey() });
  }
}

/** The time since the page was loaded, in ms. `performance.now` may exclude sleep; the system clock may have been changed. */
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

/** Keeps a child's pages up to date. Returns since when they are stale, or null unless the stream was lost for `STALE_AFTER_MS`. */
export function useLiveUpdates(childId: number | null): string | null {
  const queries = useQueryClient();
  const [asOf, setAsOf] = useState<string | null>(null);
  useEffect(() => {
    if (childId === null) return undefined;
    let lostSince: Date | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stopListening = listenWhileVisible(queries, childId, (since) => {
      if (since === null) {
        lostSince = null;
        clearTimeout(timer);
        setAsOf(null);
      } else if (lostSince === null) {
        lostSince = since;
        timer = setTimeout(() => setAsOf(since.toISOString()), STALE_AFTER_MS);
      }
    });
    return () => {
      stopListening();
      clearTimeout(timer);
      setAsOf(null);
    };
  }, [queries, childId]);
  return asOf;
}
