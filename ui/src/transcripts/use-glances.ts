import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useState } from "react";

import type { Glances } from "./requests";
import { listMessages } from "../api/generated/client/transcripts/transcripts";

const SCROLL_KEYS = new Set(["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End", " "]);

/** By client, like the messages that were read. */
const all = new WeakMap<QueryClient, Glances>();

/**
 * The glances that a session's messages are read with while it only opened by itself; undefined once the reader chose or scrolled
 * it. What was read as a glance until then is then read once more, so that it counts.
 */
export function useGlances(
  sessionId: number,
  isChosen: boolean,
  area: RefObject<HTMLElement | null>,
): Glances | undefined {
  const queries = useQueryClient();
  const [isScrolled, setScrolled] = useState(false);
  const isGlance = !isChosen && !isScrolled;

  useEffect(() => {
    if (isGlance || all.get(queries)?.delete(sessionId) !== true) return;
    void queries.prefetchQuery({
      queryKey: ["opened", sessionId],
      queryFn: async ({ signal }) => listMessages(sessionId, { limit: 1 }, { signal }),
      staleTime: 0,
      gcTime: 0,
    });
  }, [isGlance, queries, sessionId]);

  useEffect(() => {
    const element = area.current;
    if (!isGlance || element === null) return undefined;
    const listening = new AbortController();
    const options = { signal: listening.signal, passive: true };
    const look = () => setScrolled(true);
    for (const input of ["wheel", "touchmove", "pointerdown"]) element.addEventListener(input, look, options);
    element.addEventListener("keydown", ({ key }) => SCROLL_KEYS.has(key) && look(), options);
    return () => listening.abort();
  }, [isGlance, area]);

  if (!isGlance) return undefined;
  const glances = all.get(queries) ?? new Set<number>();
  all.set(queries, glances);
  return glances;
}
