import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";

import {
  bringBackSession,
  eraseSession,
  eraseSessionNow,
  getExportChildUrl,
  moveSession,
} from "../api/generated/client/keeping/keeping";
import type { listSessions } from "../api/generated/client/transcripts/transcripts";
import { download, saveFile } from "../api/download";
import { errorMessage } from "../api/problem";

type SessionPage = Awaited<ReturnType<typeof listSessions>>;

/** Refetches active queries. Those of a deleted session are removed from the cache. */
async function refresh(queries: QueryClient, erased?: number): Promise<void> {
  const isOf = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    erased !== undefined &&
    queryKey.some((part) => typeof part === "string" && `${part}/`.startsWith(`/api/sessions/${erased}/`));
  await queries.invalidateQueries({ predicate: (query) => !isOf(query) });
  queries.removeQueries({ predicate: isOf, type: "inactive" });
}

/** Removes a session from the cached lists, before they are refetched. */
function takeFromLists(queries: QueryClient, sessionId: number): void {
  queries.setQueriesData<InfiniteData<SessionPage>>({ queryKey: ["infinite", "/api/sessions"] }, (known) => {
    if (known === undefined) return known;
    const pages = known.pages.map((page) => {
      const sessions = page.data.sessions.filter((session) => session.session_id !== sessionId);
      return { ...page, data: { ...page.data, sessions } };
    });
    return { ...known, pages };
  });
}

/**
 * Moves a session to 'Recently erased'. `onDone` is called even if an event has removed the session and its button from the
 * page before the response.
 */
export function useErase(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (sessionId: number) => eraseSession(sessionId),
    onSuccess: (_answer, sessionId) => {
      onDone();
      takeFromLists(queries, sessionId);
      void refresh(queries, sessionId);
    },
  });
}

/** Moves a session to another child. `onDone` as in {@link useErase}. */
export function useMove(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ sessionId, childId }: { sessionId: number; childId: number }) =>
      moveSession(sessionId, { child_id: childId }),
    onSuccess: (_answer, { sessionId }) => {
      onDone();
      takeFromLists(queries, sessionId);
      void refresh(queries);
    },
  });
}

export function useBringBack(childId: number, onDone: (sessionId: number) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (sessionId: number) => bringBackSession(childId, sessionId),
    onSuccess: async (_answer, sessionId) => {
      await refresh(queries);
      onDone(sessionId);
    },
  });
}

/** Deletes a session in 'Recently erased' permanently. */
export function useEraseNow(childId: number, onDone: (sessionId: number) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (sessionId: number) => eraseSessionNow(childId, sessionId),
    onSuccess: async (_answer, sessionId) => {
      await refresh(queries, sessionId);
      onDone(sessionId);
    },
  });
}

export function useDownloadCopy(childId: number) {
  return useMutation({
    mutationFn: async () => download(getExportChildUrl(childId)),
    onSuccess: saveFile,
  });
}

export function eraseSentence(error: unknown): string {
  return errorMessage(error, "An unknown error occurred while erasing.");
}

export function moveSentence(error: unknown): string {
  return errorMessage(error, "An unknown error occurred while moving.");
}

export function bringBackSentence(error: unknown): string {
  return errorMessage(error, "An unknown error occurred while bringing it back.");
}

export function erasedSentence(error: unknown): string {
  return `Error loading what was erased: ${errorMessage(error, "An unknown error occurred while fetching what was erased.")}`;
}

export function copySentence(error: unknown): string {
  return errorMessage(error, "An unknown error occurred while downloading.");
}
