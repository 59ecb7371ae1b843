/** Optimistic concurrency for records that several guardians edit: the version is in `ETag` and `If-Match`. */
import type { FetchQueryOptions, QueryClient, QueryKey } from "@tanstack/react-query";

import { RequestFailed } from "./problem";

interface Loaded {
  headers: Headers;
}

/** The version of the record, for `If-Match`; null if the server sent none. */
export function tagIn({ headers }: Loaded): string | null {
  return headers.get("ETag");
}

/** How many guardians see and change the record. */
export function guardiansIn({ headers }: Loaded): number {
  return Number(headers.get("Porchlight-Guardians") ?? 1);
}

/** The server rejects the change with a conflict if the record no longer has this version. */
function ifMatch(tag: string | null): RequestInit {
  return tag === null ? {} : { headers: { "If-Match": tag } };
}

/** Whether a change was rejected because the record's version had changed. */
export function isConflict(error: unknown): error is RequestFailed {
  return error instanceof RequestFailed && error.status === 412;
}

/** The headers of a record after a save: those that it was loaded with, and the new version. */
function headersAfter(before: Loaded | undefined, saved: Loaded): Headers {
  const headers = new Headers(before?.headers);
  const tag = tagIn(saved);
  if (tag === null) headers.delete("ETag");
  else headers.set("ETag", tag);
  return headers;
}

/** After this many conflicts with other guardians' changes a save fails. */
const MAX_TRIES = 4;

type RecordQuery<Answer> = FetchQueryOptions<Answer> & { queryKey: QueryKey };

/** Saves over one version of a record: `save` returns the stored record. After a conflict, reloads it and returns the error. */
export async function saveOnVersion<Answer extends Loaded>(
  queries: QueryClient,
  query: RecordQuery<Answer>,
  tag: string | null,
  save: (init: RequestInit) => Promise<Answer>,
): Promise<RequestFailed | null> {
  // A response still in flight would overwrite the saved record.
  await queries.cancelQueries({ queryKey: query.queryKey });
  try {
    const saved = await save(ifMatch(tag));
    const before = queries.getQueryData<Answer>(query.queryKey);
    queries.setQueryData<Answer>(query.queryKey, { ...saved, headers: headersAfter(before, saved) });
    return null;
  } catch (error) {
    if (!isConflict(error)) throw error;
    await queries.fetchQuery({ ...query, staleTime: 0 });
    return error;
  }
}

/**
 * Changes a record: `save` sends the changed record and returns the stored one. After a conflict, repeats the change on the
 * reloaded record.
 */
export async function saveOnNewest<Answer extends Loaded>(
  queries: QueryClient,
  query: RecordQuery<Answer>,
  save: (loaded: Answer, init: RequestInit) => Promise<Answer>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const loaded = await queries.ensureQueryData(query);
    const conflict = await saveOnVersion(queries, query, tagIn(loaded), async (init) => save(loaded, init));
    if (conflict === null) return;
    if (tries === MAX_TRIES) throw conflict;
  }
}
