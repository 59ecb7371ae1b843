import { useMutation, useQuery } from "@tanstack/react-query";
import type {
  DataTag,
  DefinedInitialDataOptions,
  DefinedUseQueryResult,
  MutationFunction,
  QueryClient,
  QueryFunction,
  QueryKey,
  UndefinedInitialDataOptions,
  UseMutationOptions,
  UseMutationResult,
  UseQueryOptions,
  UseQueryResult,
} from "@tanstack/react-query";

import type {
  DeletedPage,
  ExportChild200,
  Kept,
  KeptRequest,
  ListDeletedSessionsParams,
  ListDeletionsParams,
  MoveRequest,
  NotChildRequest,
  PageDeletion,
  ShownDeletedRequest,
} from "../porchlight.schemas.ts";

import { http } from "../../../http.ts";
import type { ErrorType } from "../../../http.ts";

type SecondParameter<T extends (...args: never) => unknown> = Parameters<T>[1];

const withQueryKey = <T extends object, K>(query: T, queryKey: K): T & { queryKey: K } => {
  const result = { queryKey } as T & { queryKey: K };
  for (const key of Object.keys(query)) {
    // The explicit queryKey always wins, matching the previous
    // `{ ...query, queryKey }` spread where it was set last.
    if (key === "queryKey") continue;
    Object.defineProperty(result, key, {
      enumerable: true,
      configurable: true,
      get: () => (query as Record<string, unknown>)[key],
    });
  }
  return result;
};

export type deleteSessionResponse204 = {
  data: void;
  status: 204;
};

export type deleteSessionResponseSuccess = deleteSessionResponse204 & {
  headers: Headers;
};
export const getDeleteSessionUrl = (sessionId: number) => {
  return `/api/sessions/${encodeURIComponent(String(sessionId))}`;
};

/**
 * The session is hidden at once, and moved to 'Recently deleted', where any guardian of the child can restore it. It is
 * erased permanently seven days after every other guardian was shown it there, at the latest after 90 days. Deleting it
 * again changes nothing.
 * @summary Delete a session
 */
export const deleteSession = async (
  sessionId: number,
  options?: Parameters<typeof http>[1],
): Promise<deleteSessionResponseSuccess> => {
  return http<deleteSessionResponseSuccess>(getDeleteSessionUrl(sessionId), {
    ...options,
    method: "DELETE",
  });
};

export type moveSessionResponse204 = {
  data: void;
  status: 204;
};

export type moveSessionResponseSuccess = moveSessionResponse204 & {
  headers: Headers;
};
export const getMoveSessionUrl = (sessionId: number) => {
  return `/api/sessions/${encodeURIComponent(String(sessionId))}/child`;
};

/**
 * Both children must have exactly the same guardians. The session keeps its number, and later deliveries go to the other
 * child, too. The assistant's reports about the rules stay with the old child. 409 while a request to delete the other child
 * is pending.
 * @summary Move a session to another child
 */
export const moveSession = async (
  sessionId: number,
  moveRequest: MoveRequest,
  options?: Parameters<typeof http>[1],
): Promise<moveSessionResponseSuccess> => {
  const getHeaders = (
    h?: NonNullable<RequestInit["headers"]>,
  ): Record<string, string | readonly string[]> => {
    if (!h) return {};
    if (h instanceof Headers) return Object.fromEntries(h.entries());
    if (Symbol.iterator in h) {
      return Object.fromEntries(
        Array.from(h as Iterable<Iterable<string>>, (entry) => Array.from(entry) as [string, string]),
      );
    }
    const headers: Record<string, string | readonly string[]> = {};
    for (const [name, value] of Object.entries<string | readonly string[] | undefined>(h)) {
      if (value !== undefined) headers[name] = value;
    }
    return headers;
  };
  return http<moveSessionResponseSuccess>(getMoveSessionUrl(sessionId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(moveRequest),
  });
};

export type markNotChildResponse204 = {
  data: void;
  status: 204;
};

export type markNotChildResponseSuccess = markNotChildResponse204 & {
  headers: Headers;
};
export const getMarkNotChildUrl = (sessionId: number) => {
  return `/api/sessions/${encodeURIComponent(String(sessionId))}/not_child`;
};

/**
 * It is still listed, but counts in no statistics, and not against the daily limit. Any guardian of the child can undo it.
 * @summary Mark a session as somebody else's, not the child's
 */
export const markNotChild = async (
  sessionId: number,
  notChildRequest: NotChildRequest,
  options?: Parameters<typeof http>[1],
): Promise<markNotChildResponseSuccess> => {
  const getHeaders = (
    h?: NonNullable<RequestInit["headers"]>,
  ): Record<string, string | readonly string[]> => {
    if (!h) return {};
    if (h instanceof Headers) return Object.fromEntries(h.entries());
    if (Symbol.iterator in h) {
      return Object.fromEntries(
        Array.from(h as Iterable<Iterable<string>>, (entry) => Array.from(entry) as [string, string]),
      );
    }
    const headers: Record<string, string | readonly string[]> = {};
    for (const [name, value] of Object.entries<string | readonly string[] | undefined>(h)) {
      if (value !== undefined) headers[name] = value;
    }
    return headers;
  };
  return http<markNotChildResponseSuccess>(getMarkNotChildUrl(sessionId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(notChildRequest),
  });
};

export type listDeletedSessionsResponse200 = {
  data: DeletedPage;
  status: 200;
};

export type listDeletedSessionsResponseSuccess = listDeletedSessionsResponse200 & {
  headers: Headers;
};
export const getListDeletedSessionsUrl = (childId: number, params?: ListDeletedSessionsParams) => {
  const normalizedParams = new URLSearchParams();

  Object.entries(params || {}).forEach(([key, value]) => {
    if (value !== undefined) {
      normalizedParams.append(key, value === null ? "null" : String(value));
    }
  });

  const stringifiedParams = normalizedParams.toString();

  return stringifiedParams.length > 0
    ? `/api/child/${encodeURIComponent(String(childId))}/deleted_sessions?${stringifiedParams}`
    : `/api/child/${encodeURIComponent(String(childId))}/deleted_sessions`;
};

/**
 * @summary List a child's sessions in 'Recently deleted', most recently deleted first
 */
export const listDeletedSessions = async (
  childId: number,
  params?: ListDeletedSessionsParams,
  options?: Parameters<typeof http>[1],
): Promise<listDeletedSessionsResponseSuccess> => {
  return http<listDeletedSessionsResponseSuccess>(getListDeletedSessionsUrl(childId, params), {
    ...options,
    method: "GET",
  });
};

export const getListDeletedSessionsQueryKey = (childId: number, params?: ListDeletedSessionsParams) => {
  return [`/api/child/${childId}/deleted_sessions`, ...(params ? [params] : [])] as const;
};

export const getListDeletedSessionsQueryOptions = <
  TData = Awaited<ReturnType<typeof listDeletedSessions>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: ListDeletedSessionsParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listDeletedSessions>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getListDeletedSessionsQueryKey(childId, params);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof listDeletedSessions>>> = ({ signal }) =>
    listDeletedSessions(childId, params, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof listDeletedSessions>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type ListDeletedSessionsQueryResult = NonNullable<Awaited<ReturnType<typeof listDeletedSessions>>>;
export type ListDeletedSessionsQueryError = ErrorType<unknown>;

export function useListDeletedSessions<
  TData = Awaited<ReturnType<typeof listDeletedSessions>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params: undefined | ListDeletedSessionsParams,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof listDeletedSessions>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof listDeletedSessions>>,
          TError,
          Awaited<ReturnType<typeof listDeletedSessions>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListDeletedSessions<
  TData = Awaited<ReturnType<typeof listDeletedSessions>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: ListDeletedSessionsParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listDeletedSessions>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof listDeletedSessions>>,
          TError,
          Awaited<ReturnType<typeof listDeletedSessions>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListDeletedSessions<
  TData = Awaited<ReturnType<typeof listDeletedSessions>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: ListDeletedSessionsParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listDeletedSessions>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List a child's sessions in 'Recently deleted', most recently deleted first
 */

export function useListDeletedSessions<
  TData = Awaited<ReturnType<typeof listDeletedSessions>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: ListDeletedSessionsParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listDeletedSessions>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getListDeletedSessionsQueryOptions(childId, params, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type noteDeletedSessionsShownResponse204 = {
  data: void;
  status: 204;
};

export type noteDeletedSessionsShownResponseSuccess = noteDeletedSessionsShownResponse204 & {
  headers: Headers;
};
export const getNoteDeletedSessionsShownUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/deleted_sessions/shown`;
};

/**
 * Seven days after each other guardian was shown a session there, it is erased permanently. Sessions that are not there are
 * ignored.
 * @summary Record that sessions in 'Recently deleted' were shown
 */
export const noteDeletedSessionsShown = async (
  childId: number,
  shownDeletedRequest: ShownDeletedRequest,
  options?: Parameters<typeof http>[1],
): Promise<noteDeletedSessionsShownResponseSuccess> => {
  const getHeaders = (
    h?: NonNullable<RequestInit["headers"]>,
  ): Record<string, string | readonly string[]> => {
    if (!h) return {};
    if (h instanceof Headers) return Object.fromEntries(h.entries());
    if (Symbol.iterator in h) {
      return Object.fromEntries(
        Array.from(h as Iterable<Iterable<string>>, (entry) => Array.from(entry) as [string, string]),
      );
    }
    const headers: Record<string, string | readonly string[]> = {};
    for (const [name, value] of Object.entries<string | readonly string[] | undefined>(h)) {
      if (value !== undefined) headers[name] = value;
    }
    return headers;
  };
  return http<noteDeletedSessionsShownResponseSuccess>(getNoteDeletedSessionsShownUrl(childId), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(shownDeletedRequest),
  });
};

export const getNoteDeletedSessionsShownMutationKey = () => ["noteDeletedSessionsShown"] as const;

export const getNoteDeletedSessionsShownMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof noteDeletedSessionsShown>>,
    TError,
    NoteDeletedSessionsShownMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof noteDeletedSessionsShown>>,
  TError,
  NoteDeletedSessionsShownMutationVariables,
  TContext
> => {
  const mutationKey = getNoteDeletedSessionsShownMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof noteDeletedSessionsShown>>,
    NoteDeletedSessionsShownMutationVariables
  > = (props) => {
    const { childId, data } = props ?? {};

    return noteDeletedSessionsShown(childId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type NoteDeletedSessionsShownMutationResult = NonNullable<
  Awaited<ReturnType<typeof noteDeletedSessionsShown>>
>;
export type NoteDeletedSessionsShownMutationBody = ShownDeletedRequest;
export type NoteDeletedSessionsShownMutationError = ErrorType<unknown>;
export type NoteDeletedSessionsShownMutationVariables = { childId: number; data: ShownDeletedRequest };

/**
 * @summary Record that sessions in 'Recently deleted' were shown
 */
export const useNoteDeletedSessionsShown = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof noteDeletedSessionsShown>>,
      TError,
      NoteDeletedSessionsShownMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof noteDeletedSessionsShown>>,
  TError,
  NoteDeletedSessionsShownMutationVariables,
  TContext
> => {
  return useMutation(getNoteDeletedSessionsShownMutationOptions(options), queryClient);
};
export type undeleteSessionResponse204 = {
  data: void;
  status: 204;
};

export type undeleteSessionResponseSuccess = undeleteSessionResponse204 & {
  headers: Headers;
};
export const getUndeleteSessionUrl = (childId: number, sessionId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/deleted_sessions/${encodeURIComponent(String(sessionId))}/undelete`;
};

/**
 * The session is listed as before. Restoring it again changes nothing.
 * @summary Restore a session from 'Recently deleted'
 */
export const undeleteSession = async (
  childId: number,
  sessionId: number,
  options?: Parameters<typeof http>[1],
): Promise<undeleteSessionResponseSuccess> => {
  return http<undeleteSessionResponseSuccess>(getUndeleteSessionUrl(childId, sessionId), {
    ...options,
    method: "POST",
  });
};

export type eraseSessionResponse204 = {
  data: void;
  status: 204;
};

export type eraseSessionResponseSuccess = eraseSessionResponse204 & {
  headers: Headers;
};
export const getEraseSessionUrl = (childId: number, sessionId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/deleted_sessions/${encodeURIComponent(String(sessionId))}`;
};

/**
 * Only for the child's only guardian: 409 if there is another one, who may want to restore it. It is removed from all
 * responses at once, and from the server's files when they are compacted, which begins within an hour. Requires stepping up;
 * otherwise 403.
 * @summary Erase a session in 'Recently deleted' permanently
 */
export const eraseSession = async (
  childId: number,
  sessionId: number,
  options?: Parameters<typeof http>[1],
): Promise<eraseSessionResponseSuccess> => {
  return http<eraseSessionResponseSuccess>(getEraseSessionUrl(childId, sessionId), {
    ...options,
    method: "DELETE",
  });
};

export type exportChildResponse200 = {
  data: ExportChild200;
  status: 200;
};

export type exportChildResponseSuccess = exportChildResponse200 & {
  headers: Headers;
};
export const getExportChildUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/export`;
};

/**
 * A file in the form of `porchlight export`. It contains no names of other guardians, and no sessions in 'Recently deleted'.
 * Requires stepping up; otherwise 403.
 * @summary Download a child's data
 */
export const exportChild = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<exportChildResponseSuccess> => {
  return http<exportChildResponseSuccess>(getExportChildUrl(childId), {
    ...options,
    method: "GET",
  });
};

export type listDeletionsResponse200 = {
  data: PageDeletion;
  status: 200;
};

export type listDeletionsResponseSuccess = listDeletionsResponse200 & {
  headers: Headers;
};
export const getListDeletionsUrl = (childId: number, params?: ListDeletionsParams) => {
  const normalizedParams = new URLSearchParams();

  Object.entries(params || {}).forEach(([key, value]) => {
    if (value !== undefined) {
      normalizedParams.append(key, value === null ? "null" : String(value));
    }
  });

  const stringifiedParams = normalizedParams.toString();

  return stringifiedParams.length > 0
    ? `/api/child/${encodeURIComponent(String(childId))}/deletions?${stringifiedParams}`
    : `/api/child/${encodeURIComponent(String(childId))}/deletions`;
};

/**
 * Sessions that one guardian deleted within an hour have one record, and so have those that became too old within an hour.
 * Records are kept for 400 days. After the sessions were erased and the server's data files rewritten, all of these files are
 * searched for them. Days are in the child's time zone.
 * @summary List what of a child was deleted permanently, newest first
 */
export const listDeletions = async (
  childId: number,
  params?: ListDeletionsParams,
  options?: Parameters<typeof http>[1],
): Promise<listDeletionsResponseSuccess> => {
  return http<listDeletionsResponseSuccess>(getListDeletionsUrl(childId, params), {
    ...options,
    method: "GET",
  });
};

export const getListDeletionsQueryKey = (childId: number, params?: ListDeletionsParams) => {
  return [`/api/child/${childId}/deletions`, ...(params ? [params] : [])] as const;
};

export const getListDeletionsQueryOptions = <
  TData = Awaited<ReturnType<typeof listDeletions>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: ListDeletionsParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listDeletions>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getListDeletionsQueryKey(childId, params);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof listDeletions>>> = ({ signal }) =>
    listDeletions(childId, params, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof listDeletions>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type ListDeletionsQueryResult = NonNullable<Awaited<ReturnType<typeof listDeletions>>>;
export type ListDeletionsQueryError = ErrorType<unknown>;

export function useListDeletions<
  TData = Awaited<ReturnType<typeof listDeletions>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params: undefined | ListDeletionsParams,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof listDeletions>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof listDeletions>>,
          TError,
          Awaited<ReturnType<typeof listDeletions>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListDeletions<
  TData = Awaited<ReturnType<typeof listDeletions>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: ListDeletionsParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listDeletions>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof listDeletions>>,
          TError,
          Awaited<ReturnType<typeof listDeletions>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListDeletions<
  TData = Awaited<ReturnType<typeof listDeletions>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: ListDeletionsParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listDeletions>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List what of a child was deleted permanently, newest first
 */

export function useListDeletions<
  TData = Awaited<ReturnType<typeof listDeletions>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: ListDeletionsParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listDeletions>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getListDeletionsQueryOptions(childId, params, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type getSessionKeptResponse200 = {
  data: Kept;
  status: 200;
};

export type getSessionKeptResponseSuccess = getSessionKeptResponse200 & {
  headers: Headers;
};
export const getGetSessionKeptUrl = (sessionId: number) => {
  return `/api/sessions/${encodeURIComponent(String(sessionId))}/kept`;
};

/**
 * A session that any of the child's guardians keeps isn't deleted for its age.
 * @summary Get who keeps a session
 */
export const getSessionKept = async (
  sessionId: number,
  options?: Parameters<typeof http>[1],
): Promise<getSessionKeptResponseSuccess> => {
  return http<getSessionKeptResponseSuccess>(getGetSessionKeptUrl(sessionId), {
    ...options,
    method: "GET",
  });
};

export const getGetSessionKeptQueryKey = (sessionId: number) => {
  return [`/api/sessions/${sessionId}/kept`] as const;
};

export const getGetSessionKeptQueryOptions = <
  TData = Awaited<ReturnType<typeof getSessionKept>>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSessionKept>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetSessionKeptQueryKey(sessionId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getSessionKept>>> = ({ signal }) =>
    getSessionKept(sessionId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: sessionId !== null && sessionId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof getSessionKept>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type GetSessionKeptQueryResult = NonNullable<Awaited<ReturnType<typeof getSessionKept>>>;
export type GetSessionKeptQueryError = ErrorType<unknown>;

export function useGetSessionKept<
  TData = Awaited<ReturnType<typeof getSessionKept>>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSessionKept>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getSessionKept>>,
          TError,
          Awaited<ReturnType<typeof getSessionKept>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetSessionKept<
  TData = Awaited<ReturnType<typeof getSessionKept>>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSessionKept>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getSessionKept>>,
          TError,
          Awaited<ReturnType<typeof getSessionKept>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetSessionKept<
  TData = Awaited<ReturnType<typeof getSessionKept>>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSessionKept>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get who keeps a session
 */

export function useGetSessionKept<
  TData = Awaited<ReturnType<typeof getSessionKept>>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSessionKept>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetSessionKeptQueryOptions(sessionId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type keepSessionResponse204 = {
  data: void;
  status: 204;
};

export type keepSessionResponseSuccess = keepSessionResponse204 & {
  headers: Headers;
};
export const getKeepSessionUrl = (sessionId: number) => {
  return `/api/sessions/${encodeURIComponent(String(sessionId))}/kept`;
};

/**
 * Each guardian keeps sessions for themselves. Anybody can still delete a session that is kept. Once nobody keeps it any
 * more, its age counts from then.
 * @summary Keep a session, or keep it no longer
 */
export const keepSession = async (
  sessionId: number,
  keptRequest: KeptRequest,
  options?: Parameters<typeof http>[1],
): Promise<keepSessionResponseSuccess> => {
  const getHeaders = (
    h?: NonNullable<RequestInit["headers"]>,
  ): Record<string, string | readonly string[]> => {
    if (!h) return {};
    if (h instanceof Headers) return Object.fromEntries(h.entries());
    if (Symbol.iterator in h) {
      return Object.fromEntries(
        Array.from(h as Iterable<Iterable<string>>, (entry) => Array.from(entry) as [string, string]),
      );
    }
    const headers: Record<string, string | readonly string[]> = {};
    for (const [name, value] of Object.entries<string | readonly string[] | undefined>(h)) {
      if (value !== undefined) headers[name] = value;
    }
    return headers;
  };
  return http<keepSessionResponseSuccess>(getKeepSessionUrl(sessionId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(keptRequest),
  });
};
