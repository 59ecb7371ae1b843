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
export function ifMatch(tag: string | null): RequestInit {
  return tag === null ? {} : { headers: { "If-Match": tag } };
}

/** Whether a change was rejected because the record's version had changed. */
export function isConflict(error: unknown): boolean {
  return error instanceof RequestFailed && error.status === 412;
}

/** The headers of a record after a save: those that it was loaded with, and the new version. */
export function headersAfter(before: Loaded | undefined, saved: Loaded): Headers {
  const headers = new Headers(before?.headers);
  const tag = tagIn(saved);
  if (tag === null) headers.delete("ETag");
  else headers.set("ETag", tag);
  return headers;
}

/** After this many conflicts with other guardians' changes a save fails. */
const MAX_TRIES = 4;

/**
 * Changes a record: `save` sends the changed record and returns the stored one. After a conflict, reloads the record and
 * repeats the change.
 */
export async function saveOnNewest<Answer extends Loaded>(
  queries: QueryClient,
  query: FetchQueryOptions<Answer> & { queryKey: QueryKey },
  save: (loaded: Answer, init: RequestInit) => Promise<Answer>,
): Promise<void> {
  // A response still in flight would overwrite the saved record.
  await queries.cancelQueries({ queryKey: query.queryKey });
  for (let tries = 1; ; tries += 1) {
    const loaded = await queries.ensureQueryData(query);
    try {
      const saved = await save(loaded, ifMatch(tagIn(loaded)));
      queries.setQueryData<Answer>(query.queryKey, { ...saved, headers: headersAfter(loaded, saved) });
      return;
    } catch (error) {
      if (!isConflict(error) || tries === MAX_TRIES) throw error;
      await queries.fetchQuery({ ...query, staleTime: 0 });
    }
  }
}
