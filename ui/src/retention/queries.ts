import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";

import {
  undeleteSession,
  deleteSession,
  keepSession,
  eraseSession,
  getExportChildUrl,
  markNotChild,
  moveSession,
  useGetSessionKept,
} from "../api/generated/client/retention/retention";
import type { listSessions } from "../api/generated/client/transcripts/transcripts";
import { download, saveFile } from "../api/download";
import { ifCancelled } from "../api/step-up";

type SessionPage = Awaited<ReturnType<typeof listSessions>>;

/** Refetches active queries. Those of a deleted session are removed from the cache. */
async function refresh(queries: QueryClient, deleted?: number): Promise<void> {
  const isOf = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    deleted !== undefined &&
    queryKey.some((part) => typeof part === "string" && `${part}/`.startsWith(`/api/sessions/${deleted}/`));
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
 * Moves a session to 'Recently deleted'. `onDone` is called even if an event has removed the session and its button from the
 * page before the response.
 */
export function useDelete(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (sessionId: number) => deleteSession(sessionId),
    onSuccess: (_answer, sessionId) => {
      onDone();
      takeFromLists(queries, sessionId);
      void refresh(queries, sessionId);
    },
  });
}

/** Records whether somebody else talked in a session, not the child. */
export function useMarkNotChild(sessionId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (notChild: boolean) => markNotChild(sessionId, { not_child: notChild }),
    onSuccess: async () => refresh(queries),
  });
}

/** Who keeps a session. The key is below the child's retention, so that its event refetches it. */
export function useKept(childId: number, sessionId: number) {
  const queryKey = [`/api/child/${childId}/retention/kept/${sessionId}`];
  return useGetSessionKept(sessionId, { query: { queryKey, select: ({ data }) => data } });
}

/** Keeps a session, or keeps it no longer. */
export function useKeep(sessionId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (kept: boolean) => keepSession(sessionId, { kept }),
    onSuccess: async () => refresh(queries),
  });
}

/** Moves a session to another child. `onDone` as in {@link useDelete}. */
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

export function useUndelete(childId: number, onDone: (sessionId: number) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (sessionId: number) => undeleteSession(childId, sessionId),
    onSuccess: async (_answer, sessionId) => {
      await refresh(queries);
      onDone(sessionId);
    },
  });
}

interface Erasing {
  onDone: () => void;
  /** The guardian did not step up. */
  onCancelled: () => void;
}

export function useErase(childId: number, { onDone, onCancelled }: Erasing) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (sessionId: number) => eraseSession(childId, sessionId),
    onSuccess: async (_answer, sessionId) => {
      await refresh(queries, sessionId);
      onDone();
    },
    onError: ifCancelled(onCancelled),
  });
}

export function useDownloadCopy(childId: number) {
  return useMutation({
    mutationFn: async () => download(getExportChildUrl(childId)),
    onSuccess: saveFile,
  });
}
