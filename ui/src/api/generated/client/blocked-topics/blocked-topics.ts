import { useQuery } from "@tanstack/react-query";
import type {
  DataTag,
  DefinedInitialDataOptions,
  DefinedUseQueryResult,
  QueryClient,
  QueryFunction,
  QueryKey,
  UndefinedInitialDataOptions,
  UseQueryOptions,
  UseQueryResult,
} from "@tanstack/react-query";

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

export type listBlockedTopicsResponse200 = {
  data: string[];
  status: 200;
};

export type listBlockedTopicsResponseSuccess = listBlockedTopicsResponse200 & {
  headers: Headers;
};
export const getListBlockedTopicsUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/blocked_topics`;
};

/**
 * @summary List a child's blocked topics
 */
export const listBlockedTopics = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<listBlockedTopicsResponseSuccess> => {
  return http<listBlockedTopicsResponseSuccess>(getListBlockedTopicsUrl(childId), {
    ...options,
    method: "GET",
  });
};

export const getListBlockedTopicsQueryKey = (childId: number) => {
  return [`/api/child/${childId}/blocked_topics`] as const;
};

export const getListBlockedTopicsQueryOptions = <
  TData = Awaited<ReturnType<typeof listBlockedTopics>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listBlockedTopics>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getListBlockedTopicsQueryKey(childId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof listBlockedTopics>>> = ({ signal }) =>
    listBlockedTopics(childId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof listBlockedTopics>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type ListBlockedTopicsQueryResult = NonNullable<Awaited<ReturnType<typeof listBlockedTopics>>>;
export type ListBlockedTopicsQueryError = ErrorType<unknown>;

export function useListBlockedTopics<
  TData = Awaited<ReturnType<typeof listBlockedTopics>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof listBlockedTopics>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof listBlockedTopics>>,
          TError,
          Awaited<ReturnType<typeof listBlockedTopics>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListBlockedTopics<
  TData = Awaited<ReturnType<typeof listBlockedTopics>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listBlockedTopics>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof listBlockedTopics>>,
          TError,
          Awaited<ReturnType<typeof listBlockedTopics>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListBlockedTopics<
  TData = Awaited<ReturnType<typeof listBlockedTopics>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listBlockedTopics>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List a child's blocked topics
 */

export function useListBlockedTopics<
  TData = Awaited<ReturnType<typeof listBlockedTopics>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listBlockedTopics>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getListBlockedTopicsQueryOptions(childId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type replaceBlockedTopicsResponse200 = {
  data: string[];
  status: 200;
};

export type replaceBlockedTopicsResponseSuccess = replaceBlockedTopicsResponse200 & {
  headers: Headers;
};
export const getReplaceBlockedTopicsUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/blocked_topics`;
};

/**
 * The whole list. Topics are trimmed; empty and mandatory ones, and repeats that differ only in case, are dropped. If a
 * topic can't be blocked, or there are more than 500, nothing is changed.
 * @summary Replace a child's blocked topics
 */
export const replaceBlockedTopics = async (
  childId: number,
  replaceBlockedTopicsBody: string[],
  options?: Parameters<typeof http>[1],
): Promise<replaceBlockedTopicsResponseSuccess> => {
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
  return http<replaceBlockedTopicsResponseSuccess>(getReplaceBlockedTopicsUrl(childId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(replaceBlockedTopicsBody),
  });
};
