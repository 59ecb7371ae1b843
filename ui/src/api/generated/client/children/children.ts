import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import type {
  DataTag,
  DefinedInitialDataOptions,
  DefinedUseInfiniteQueryResult,
  DefinedUseQueryResult,
  InfiniteData,
  MutationFunction,
  QueryClient,
  QueryFunction,
  QueryKey,
  UndefinedInitialDataOptions,
  UseInfiniteQueryOptions,
  UseInfiniteQueryResult,
  UseMutationOptions,
  UseMutationResult,
  UseQueryOptions,
  UseQueryResult,
} from "@tanstack/react-query";

import type {
  AccessLog,
  Child,
  ChildNotice,
  ListHistoryParams,
  PageEditionChoice,
  PageHistoryEntry,
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

export type listChildrenResponse200 = {
  data: Child[];
  status: 200;
};

export type listChildrenResponseSuccess = listChildrenResponse200 & {
  headers: Headers;
};
export const getListChildrenUrl = () => {
  return `/api/children`;
};

/**
 * @summary List the signed-in guardian's children
 */
export const listChildren = async (
  options?: Parameters<typeof http>[1],
): Promise<listChildrenResponseSuccess> => {
  return http<listChildrenResponseSuccess>(getListChildrenUrl(), {
    ...options,
    method: "GET",
  });
};

export const getListChildrenQueryKey = () => {
  return [`/api/children`] as const;
};

export const getListChildrenQueryOptions = <
  TData = Awaited<ReturnType<typeof listChildren>>,
  TError = ErrorType<unknown>,
>(options?: {
  query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listChildren>>, TError, TData>>;
  request?: SecondParameter<typeof http>;
}) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getListChildrenQueryKey();

  const queryFn: QueryFunction<Awaited<ReturnType<typeof listChildren>>> = ({ signal }) =>
    listChildren({ signal, ...requestOptions });

  return { queryKey, queryFn, ...queryOptions } as UseQueryOptions<
    Awaited<ReturnType<typeof listChildren>>,
    TError,
    TData
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type ListChildrenQueryResult = NonNullable<Awaited<ReturnType<typeof listChildren>>>;
export type ListChildrenQueryError = ErrorType<unknown>;

export function useListChildren<
  TData = Awaited<ReturnType<typeof listChildren>>,
  TError = ErrorType<unknown>,
>(
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof listChildren>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof listChildren>>,
          TError,
          Awaited<ReturnType<typeof listChildren>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListChildren<
  TData = Awaited<ReturnType<typeof listChildren>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listChildren>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof listChildren>>,
          TError,
          Awaited<ReturnType<typeof listChildren>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListChildren<
  TData = Awaited<ReturnType<typeof listChildren>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listChildren>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List the signed-in guardian's children
 */

export function useListChildren<
  TData = Awaited<ReturnType<typeof listChildren>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listChildren>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getListChildrenQueryOptions(options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type getChildNoticeResponse200 = {
  data: ChildNotice;
  status: 200;
};

export type getChildNoticeResponseSuccess = getChildNoticeResponse200 & {
  headers: Headers;
};
export const getGetChildNoticeUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/for_child`;
};

/**
 * The page tells the child what is kept of its conversations, and who can read it.
 * @summary Get what the page for a child is made from
 */
export const getChildNotice = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<getChildNoticeResponseSuccess> => {
  return http<getChildNoticeResponseSuccess>(getGetChildNoticeUrl(childId), {
    ...options,
    method: "GET",
  });
};

export const getGetChildNoticeQueryKey = (childId: number) => {
  return [`/api/child/${childId}/for_child`] as const;
};

export const getGetChildNoticeQueryOptions = <
  TData = Awaited<ReturnType<typeof getChildNotice>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getChildNotice>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetChildNoticeQueryKey(childId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getChildNotice>>> = ({ signal }) =>
    getChildNotice(childId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof getChildNotice>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type GetChildNoticeQueryResult = NonNullable<Awaited<ReturnType<typeof getChildNotice>>>;
export type GetChildNoticeQueryError = ErrorType<unknown>;

export function useGetChildNotice<
  TData = Awaited<ReturnType<typeof getChildNotice>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getChildNotice>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getChildNotice>>,
          TError,
          Awaited<ReturnType<typeof getChildNotice>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetChildNotice<
  TData = Awaited<ReturnType<typeof getChildNotice>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getChildNotice>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getChildNotice>>,
          TError,
          Awaited<ReturnType<typeof getChildNotice>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetChildNotice<
  TData = Awaited<ReturnType<typeof getChildNotice>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getChildNotice>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get what the page for a child is made from
 */

export function useGetChildNotice<
  TData = Awaited<ReturnType<typeof getChildNotice>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getChildNotice>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetChildNoticeQueryOptions(childId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type chooseChildNoticeEditionResponse204 = {
  data: void;
  status: 204;
};

export type chooseChildNoticeEditionResponseSuccess = chooseChildNoticeEditionResponse204 & {
  headers: Headers;
};
export const getChooseChildNoticeEditionUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/for_child`;
};

/**
 * For all of the child's guardians. With the older edition `getConversationStarters` is off, unless a guardian has switched
 * it on or off before: send this when the guardian saves, not when they look at an edition.
 * @summary Choose the edition of the page for a child
 */
export const chooseChildNoticeEdition = async (
  childId: number,
  pageEditionChoice: PageEditionChoice,
  options?: Parameters<typeof http>[1],
): Promise<chooseChildNoticeEditionResponseSuccess> => {
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
  return http<chooseChildNoticeEditionResponseSuccess>(getChooseChildNoticeEditionUrl(childId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(pageEditionChoice),
  });
};

export const getChooseChildNoticeEditionMutationKey = () => ["chooseChildNoticeEdition"] as const;

export const getChooseChildNoticeEditionMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof chooseChildNoticeEdition>>,
    TError,
    ChooseChildNoticeEditionMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof chooseChildNoticeEdition>>,
  TError,
  ChooseChildNoticeEditionMutationVariables,
  TContext
> => {
  const mutationKey = getChooseChildNoticeEditionMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof chooseChildNoticeEdition>>,
    ChooseChildNoticeEditionMutationVariables
  > = (props) => {
    const { childId, data } = props ?? {};

    return chooseChildNoticeEdition(childId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type ChooseChildNoticeEditionMutationResult = NonNullable<
  Awaited<ReturnType<typeof chooseChildNoticeEdition>>
>;
export type ChooseChildNoticeEditionMutationBody = PageEditionChoice;
export type ChooseChildNoticeEditionMutationError = ErrorType<unknown>;
export type ChooseChildNoticeEditionMutationVariables = { childId: number; data: PageEditionChoice };

/**
 * @summary Choose the edition of the page for a child
 */
export const useChooseChildNoticeEdition = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof chooseChildNoticeEdition>>,
      TError,
      ChooseChildNoticeEditionMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof chooseChildNoticeEdition>>,
  TError,
  ChooseChildNoticeEditionMutationVariables,
  TContext
> => {
  return useMutation(getChooseChildNoticeEditionMutationOptions(options), queryClient);
};
export type listHistoryResponse200 = {
  data: PageHistoryEntry;
  status: 200;
};

export type listHistoryResponseSuccess = listHistoryResponse200 & {
  headers: Headers;
};
export const getListHistoryUrl = (childId: number, params?: ListHistoryParams) => {
  const normalizedParams = new URLSearchParams();

  Object.entries(params || {}).forEach(([key, value]) => {
    if (value !== undefined) {
      normalizedParams.append(key, value === null ? "null" : String(value));
    }
  });

  const stringifiedParams = normalizedParams.toString();

  return stringifiedParams.length > 0
    ? `/api/child/${encodeURIComponent(String(childId))}/history?${stringifiedParams}`
    : `/api/child/${encodeURIComponent(String(childId))}/history`;
};

/**
 * @summary List the changes of a child, newest first
 */
export const listHistory = async (
  childId: number,
  params?: ListHistoryParams,
  options?: Parameters<typeof http>[1],
): Promise<listHistoryResponseSuccess> => {
  return http<listHistoryResponseSuccess>(getListHistoryUrl(childId, params), {
    ...options,
    method: "GET",
  });
};

export const getListHistoryInfiniteQueryKey = (childId: number, params?: ListHistoryParams) => {
  return ["infinite", `/api/child/${childId}/history`, ...(params ? [params] : [])] as const;
};

export const getListHistoryInfiniteQueryOptions = <
  TData = InfiniteData<Awaited<ReturnType<typeof listHistory>>, ListHistoryParams["before"]>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: ListHistoryParams,
  options?: {
    query?: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listHistory>>,
        TError,
        TData,
        QueryKey,
        ListHistoryParams["before"]
      >
    >;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getListHistoryInfiniteQueryKey(childId, params);

  const queryFn: QueryFunction<
    Awaited<ReturnType<typeof listHistory>>,
    QueryKey,
    ListHistoryParams["before"]
  > = ({ signal, pageParam }) =>
    listHistory(
      childId,
      { ...params, before: pageParam ?? params?.["before"] },
      { signal, ...requestOptions },
    );

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseInfiniteQueryOptions<
    Awaited<ReturnType<typeof listHistory>>,
    TError,
    TData,
    QueryKey,
    ListHistoryParams["before"]
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type ListHistoryInfiniteQueryResult = NonNullable<Awaited<ReturnType<typeof listHistory>>>;
export type ListHistoryInfiniteQueryError = ErrorType<unknown>;

export function useListHistoryInfinite<
  TData = InfiniteData<Awaited<ReturnType<typeof listHistory>>, ListHistoryParams["before"]>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params: undefined | ListHistoryParams,
  options: {
    query: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listHistory>>,
        TError,
        TData,
        QueryKey,
        ListHistoryParams["before"]
      >
    > &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof listHistory>>,
          TError,
          Awaited<ReturnType<typeof listHistory>>,
          QueryKey
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseInfiniteQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListHistoryInfinite<
  TData = InfiniteData<Awaited<ReturnType<typeof listHistory>>, ListHistoryParams["before"]>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: ListHistoryParams,
  options?: {
    query?: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listHistory>>,
        TError,
        TData,
        QueryKey,
        ListHistoryParams["before"]
      >
    > &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof listHistory>>,
          TError,
          Awaited<ReturnType<typeof listHistory>>,
          QueryKey
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseInfiniteQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListHistoryInfinite<
  TData = InfiniteData<Awaited<ReturnType<typeof listHistory>>, ListHistoryParams["before"]>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: ListHistoryParams,
  options?: {
    query?: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listHistory>>,
        TError,
        TData,
        QueryKey,
        ListHistoryParams["before"]
      >
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseInfiniteQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List the changes of a child, newest first
 */

export function useListHistoryInfinite<
  TData = InfiniteData<Awaited<ReturnType<typeof listHistory>>, ListHistoryParams["before"]>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: ListHistoryParams,
  options?: {
    query?: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listHistory>>,
        TError,
        TData,
        QueryKey,
        ListHistoryParams["before"]
      >
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseInfiniteQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getListHistoryInfiniteQueryOptions(childId, params, options);

  const query = useInfiniteQuery(queryOptions, queryClient) as UseInfiniteQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type getAccessLogResponse200 = {
  data: AccessLog;
  status: 200;
};

export type getAccessLogResponseSuccess = getAccessLogResponse200 & {
  headers: Headers;
};
export const getGetAccessLogUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/looks`;
};

/**
 * Of the caller: on which days they opened or searched conversations, or took a copy. Of everybody else: on how many days of
 * a week they read, and the day of each copy. Summary and lists don't count, and neither do scheduled backups.
 * @summary Get who looked at a child's conversations
 */
export const getAccessLog = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<getAccessLogResponseSuccess> => {
  return http<getAccessLogResponseSuccess>(getGetAccessLogUrl(childId), {
    ...options,
    method: "GET",
  });
};

export const getGetAccessLogQueryKey = (childId: number) => {
  return [`/api/child/${childId}/looks`] as const;
};

export const getGetAccessLogQueryOptions = <
  TData = Awaited<ReturnType<typeof getAccessLog>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getAccessLog>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetAccessLogQueryKey(childId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getAccessLog>>> = ({ signal }) =>
    getAccessLog(childId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof getAccessLog>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type GetAccessLogQueryResult = NonNullable<Awaited<ReturnType<typeof getAccessLog>>>;
export type GetAccessLogQueryError = ErrorType<unknown>;

export function useGetAccessLog<
  TData = Awaited<ReturnType<typeof getAccessLog>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getAccessLog>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getAccessLog>>,
          TError,
          Awaited<ReturnType<typeof getAccessLog>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetAccessLog<
  TData = Awaited<ReturnType<typeof getAccessLog>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getAccessLog>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getAccessLog>>,
          TError,
          Awaited<ReturnType<typeof getAccessLog>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetAccessLog<
  TData = Awaited<ReturnType<typeof getAccessLog>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getAccessLog>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get who looked at a child's conversations
 */

export function useGetAccessLog<
  TData = Awaited<ReturnType<typeof getAccessLog>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getAccessLog>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetAccessLogQueryOptions(childId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}
