import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type {
  DataTag,
  DefinedInitialDataOptions,
  DefinedUseInfiniteQueryResult,
  DefinedUseQueryResult,
  InfiniteData,
  QueryClient,
  QueryFunction,
  QueryKey,
  UndefinedInitialDataOptions,
  UseInfiniteQueryOptions,
  UseInfiniteQueryResult,
  UseQueryOptions,
  UseQueryResult,
} from "@tanstack/react-query";

import type {
  ListMessagesParams,
  ListSessionsParams,
  MessagePage,
  SearchPage,
  SearchRequest,
  Session,
  SessionPage,
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

export type listSessionsResponse200 = {
  data: SessionPage;
  status: 200;
};

export type listSessionsResponseSuccess = listSessionsResponse200 & {
  headers: Headers;
};
export const getListSessionsUrl = (params: ListSessionsParams) => {
  const normalizedParams = new URLSearchParams();

  Object.entries(params || {}).forEach(([key, value]) => {
    if (value !== undefined) {
      normalizedParams.append(key, value === null ? "null" : String(value));
    }
  });

  const stringifiedParams = normalizedParams.toString();

  return stringifiedParams.length > 0 ? `/api/sessions?${stringifiedParams}` : `/api/sessions`;
};

/**
 * @summary List a child's sessions, newest first
 */
export const listSessions = async (
  params: ListSessionsParams,
  options?: Parameters<typeof http>[1],
): Promise<listSessionsResponseSuccess> => {
  return http<listSessionsResponseSuccess>(getListSessionsUrl(params), {
    ...options,
    method: "GET",
  });
};

export const getListSessionsInfiniteQueryKey = (params?: ListSessionsParams) => {
  return ["infinite", `/api/sessions`, ...(params ? [params] : [])] as const;
};

export const getListSessionsQueryKey = (params?: ListSessionsParams) => {
  return [`/api/sessions`, ...(params ? [params] : [])] as const;
};

export const getListSessionsInfiniteQueryOptions = <
  TData = InfiniteData<Awaited<ReturnType<typeof listSessions>>, ListSessionsParams["before"]>,
  TError = ErrorType<unknown>,
>(
  params: ListSessionsParams,
  options?: {
    query?: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listSessions>>,
        TError,
        TData,
        QueryKey,
        ListSessionsParams["before"]
      >
    >;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getListSessionsInfiniteQueryKey(params);

  const queryFn: QueryFunction<
    Awaited<ReturnType<typeof listSessions>>,
    QueryKey,
    ListSessionsParams["before"]
  > = ({ signal, pageParam }) =>
    listSessions({ ...params, before: pageParam ?? params?.["before"] }, { signal, ...requestOptions });

  return { queryKey, queryFn, ...queryOptions } as UseInfiniteQueryOptions<
    Awaited<ReturnType<typeof listSessions>>,
    TError,
    TData,
    QueryKey,
    ListSessionsParams["before"]
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type ListSessionsInfiniteQueryResult = NonNullable<Awaited<ReturnType<typeof listSessions>>>;
export type ListSessionsInfiniteQueryError = ErrorType<unknown>;

export function useListSessionsInfinite<
  TData = InfiniteData<Awaited<ReturnType<typeof listSessions>>, ListSessionsParams["before"]>,
  TError = ErrorType<unknown>,
>(
  params: ListSessionsParams,
  options: {
    query: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listSessions>>,
        TError,
        TData,
        QueryKey,
        ListSessionsParams["before"]
      >
    > &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof listSessions>>,
          TError,
          Awaited<ReturnType<typeof listSessions>>,
          QueryKey
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseInfiniteQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListSessionsInfinite<
  TData = InfiniteData<Awaited<ReturnType<typeof listSessions>>, ListSessionsParams["before"]>,
  TError = ErrorType<unknown>,
>(
  params: ListSessionsParams,
  options?: {
    query?: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listSessions>>,
        TError,
        TData,
        QueryKey,
        ListSessionsParams["before"]
      >
    > &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof listSessions>>,
          TError,
          Awaited<ReturnType<typeof listSessions>>,
          QueryKey
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseInfiniteQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListSessionsInfinite<
  TData = InfiniteData<Awaited<ReturnType<typeof listSessions>>, ListSessionsParams["before"]>,
  TError = ErrorType<unknown>,
>(
  params: ListSessionsParams,
  options?: {
    query?: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listSessions>>,
        TError,
        TData,
        QueryKey,
        ListSessionsParams["before"]
      >
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseInfiniteQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List a child's sessions, newest first
 */

export function useListSessionsInfinite<
  TData = InfiniteData<Awaited<ReturnType<typeof listSessions>>, ListSessionsParams["before"]>,
  TError = ErrorType<unknown>,
>(
  params: ListSessionsParams,
  options?: {
    query?: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listSessions>>,
        TError,
        TData,
        QueryKey,
        ListSessionsParams["before"]
      >
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseInfiniteQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getListSessionsInfiniteQueryOptions(params, options);

  const query = useInfiniteQuery(queryOptions, queryClient) as UseInfiniteQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export const getListSessionsQueryOptions = <
  TData = Awaited<ReturnType<typeof listSessions>>,
  TError = ErrorType<unknown>,
>(
  params: ListSessionsParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listSessions>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getListSessionsQueryKey(params);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof listSessions>>> = ({ signal }) =>
    listSessions(params, { signal, ...requestOptions });

  return { queryKey, queryFn, ...queryOptions } as UseQueryOptions<
    Awaited<ReturnType<typeof listSessions>>,
    TError,
    TData
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type ListSessionsQueryResult = NonNullable<Awaited<ReturnType<typeof listSessions>>>;
export type ListSessionsQueryError = ErrorType<unknown>;

export function useListSessions<
  TData = Awaited<ReturnType<typeof listSessions>>,
  TError = ErrorType<unknown>,
>(
  params: ListSessionsParams,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof listSessions>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof listSessions>>,
          TError,
          Awaited<ReturnType<typeof listSessions>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListSessions<
  TData = Awaited<ReturnType<typeof listSessions>>,
  TError = ErrorType<unknown>,
>(
  params: ListSessionsParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listSessions>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof listSessions>>,
          TError,
          Awaited<ReturnType<typeof listSessions>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListSessions<
  TData = Awaited<ReturnType<typeof listSessions>>,
  TError = ErrorType<unknown>,
>(
  params: ListSessionsParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listSessions>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List a child's sessions, newest first
 */

export function useListSessions<
  TData = Awaited<ReturnType<typeof listSessions>>,
  TError = ErrorType<unknown>,
>(
  params: ListSessionsParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listSessions>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getListSessionsQueryOptions(params, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type getSessionResponse200 = {
  data: Session;
  status: 200;
};

export type getSessionResponseSuccess = getSessionResponse200 & {
  headers: Headers;
};
export const getGetSessionUrl = (sessionId: number) => {
  return `/api/sessions/${encodeURIComponent(String(sessionId))}`;
};

/**
 * @summary Get a session
 */
export const getSession = async (
  sessionId: number,
  options?: Parameters<typeof http>[1],
): Promise<getSessionResponseSuccess> => {
  return http<getSessionResponseSuccess>(getGetSessionUrl(sessionId), {
    ...options,
    method: "GET",
  });
};

export const getGetSessionQueryKey = (sessionId: number) => {
  return [`/api/sessions/${sessionId}`] as const;
};

export const getGetSessionQueryOptions = <
  TData = Awaited<ReturnType<typeof getSession>>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSession>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetSessionQueryKey(sessionId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getSession>>> = ({ signal }) =>
    getSession(sessionId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: sessionId !== null && sessionId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof getSession>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type GetSessionQueryResult = NonNullable<Awaited<ReturnType<typeof getSession>>>;
export type GetSessionQueryError = ErrorType<unknown>;

export function useGetSession<TData = Awaited<ReturnType<typeof getSession>>, TError = ErrorType<unknown>>(
  sessionId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSession>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getSession>>,
          TError,
          Awaited<ReturnType<typeof getSession>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetSession<TData = Awaited<ReturnType<typeof getSession>>, TError = ErrorType<unknown>>(
  sessionId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSession>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getSession>>,
          TError,
          Awaited<ReturnType<typeof getSession>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetSession<TData = Awaited<ReturnType<typeof getSession>>, TError = ErrorType<unknown>>(
  sessionId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSession>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get a session
 */

export function useGetSession<TData = Awaited<ReturnType<typeof getSession>>, TError = ErrorType<unknown>>(
  sessionId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSession>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetSessionQueryOptions(sessionId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type listMessagesResponse200 = {
  data: MessagePage;
  status: 200;
};

export type listMessagesResponseSuccess = listMessagesResponse200 & {
  headers: Headers;
};
export const getListMessagesUrl = (sessionId: number, params?: ListMessagesParams) => {
  const normalizedParams = new URLSearchParams();

  Object.entries(params || {}).forEach(([key, value]) => {
    if (value !== undefined) {
      normalizedParams.append(key, value === null ? "null" : String(value));
    }
  });

  const stringifiedParams = normalizedParams.toString();

  return stringifiedParams.length > 0
    ? `/api/sessions/${encodeURIComponent(String(sessionId))}/messages?${stringifiedParams}`
    : `/api/sessions/${encodeURIComponent(String(sessionId))}/messages`;
};

/**
 * Starts at the first message unless `after`, `before` or `around` is given. Only one of them can be.
 * @summary List a session's messages, oldest first
 */
export const listMessages = async (
  sessionId: number,
  params?: ListMessagesParams,
  options?: Parameters<typeof http>[1],
): Promise<listMessagesResponseSuccess> => {
  return http<listMessagesResponseSuccess>(getListMessagesUrl(sessionId, params), {
    ...options,
    method: "GET",
  });
};

export const getListMessagesInfiniteQueryKey = (sessionId: number, params?: ListMessagesParams) => {
  return ["infinite", `/api/sessions/${sessionId}/messages`, ...(params ? [params] : [])] as const;
};

export const getListMessagesQueryKey = (sessionId: number, params?: ListMessagesParams) => {
  return [`/api/sessions/${sessionId}/messages`, ...(params ? [params] : [])] as const;
};

export const getListMessagesInfiniteQueryOptions = <
  TData = InfiniteData<Awaited<ReturnType<typeof listMessages>>, ListMessagesParams["after"]>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  params?: ListMessagesParams,
  options?: {
    query?: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listMessages>>,
        TError,
        TData,
        QueryKey,
        ListMessagesParams["after"]
      >
    >;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getListMessagesInfiniteQueryKey(sessionId, params);

  const queryFn: QueryFunction<
    Awaited<ReturnType<typeof listMessages>>,
    QueryKey,
    ListMessagesParams["after"]
  > = ({ signal, pageParam }) =>
    listMessages(
      sessionId,
      { ...params, after: pageParam ?? params?.["after"] },
      { signal, ...requestOptions },
    );

  return {
    queryKey,
    queryFn,
    enabled: sessionId !== null && sessionId !== undefined,
    ...queryOptions,
  } as UseInfiniteQueryOptions<
    Awaited<ReturnType<typeof listMessages>>,
    TError,
    TData,
    QueryKey,
    ListMessagesParams["after"]
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type ListMessagesInfiniteQueryResult = NonNullable<Awaited<ReturnType<typeof listMessages>>>;
export type ListMessagesInfiniteQueryError = ErrorType<unknown>;

export function useListMessagesInfinite<
  TData = InfiniteData<Awaited<ReturnType<typeof listMessages>>, ListMessagesParams["after"]>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  params: undefined | ListMessagesParams,
  options: {
    query: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listMessages>>,
        TError,
        TData,
        QueryKey,
        ListMessagesParams["after"]
      >
    > &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof listMessages>>,
          TError,
          Awaited<ReturnType<typeof listMessages>>,
          QueryKey
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseInfiniteQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListMessagesInfinite<
  TData = InfiniteData<Awaited<ReturnType<typeof listMessages>>, ListMessagesParams["after"]>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  params?: ListMessagesParams,
  options?: {
    query?: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listMessages>>,
        TError,
        TData,
        QueryKey,
        ListMessagesParams["after"]
      >
    > &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof listMessages>>,
          TError,
          Awaited<ReturnType<typeof listMessages>>,
          QueryKey
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseInfiniteQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListMessagesInfinite<
  TData = InfiniteData<Awaited<ReturnType<typeof listMessages>>, ListMessagesParams["after"]>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  params?: ListMessagesParams,
  options?: {
    query?: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listMessages>>,
        TError,
        TData,
        QueryKey,
        ListMessagesParams["after"]
      >
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseInfiniteQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List a session's messages, oldest first
 */

export function useListMessagesInfinite<
  TData = InfiniteData<Awaited<ReturnType<typeof listMessages>>, ListMessagesParams["after"]>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  params?: ListMessagesParams,
  options?: {
    query?: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listMessages>>,
        TError,
        TData,
        QueryKey,
        ListMessagesParams["after"]
      >
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseInfiniteQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getListMessagesInfiniteQueryOptions(sessionId, params, options);

  const query = useInfiniteQuery(queryOptions, queryClient) as UseInfiniteQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export const getListMessagesQueryOptions = <
  TData = Awaited<ReturnType<typeof listMessages>>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  params?: ListMessagesParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listMessages>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getListMessagesQueryKey(sessionId, params);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof listMessages>>> = ({ signal }) =>
    listMessages(sessionId, params, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: sessionId !== null && sessionId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof listMessages>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type ListMessagesQueryResult = NonNullable<Awaited<ReturnType<typeof listMessages>>>;
export type ListMessagesQueryError = ErrorType<unknown>;

export function useListMessages<
  TData = Awaited<ReturnType<typeof listMessages>>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  params: undefined | ListMessagesParams,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof listMessages>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof listMessages>>,
          TError,
          Awaited<ReturnType<typeof listMessages>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListMessages<
  TData = Awaited<ReturnType<typeof listMessages>>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  params?: ListMessagesParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listMessages>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof listMessages>>,
          TError,
          Awaited<ReturnType<typeof listMessages>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListMessages<
  TData = Awaited<ReturnType<typeof listMessages>>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  params?: ListMessagesParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listMessages>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List a session's messages, oldest first
 */

export function useListMessages<
  TData = Awaited<ReturnType<typeof listMessages>>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  params?: ListMessagesParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listMessages>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getListMessagesQueryOptions(sessionId, params, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type searchTranscriptsResponse200 = {
  data: SearchPage;
  status: 200;
};

export type searchTranscriptsResponseSuccess = searchTranscriptsResponse200 & {
  headers: Headers;
};
export const getSearchTranscriptsUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/search`;
};

/**
 * Reads for a short time and returns the matches found by then.
 * @summary Search a child's messages
 */
export const searchTranscripts = async (
  childId: number,
  searchRequest: SearchRequest,
  options?: Parameters<typeof http>[1],
): Promise<searchTranscriptsResponseSuccess> => {
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
  return http<searchTranscriptsResponseSuccess>(getSearchTranscriptsUrl(childId), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(searchRequest),
  });
};
