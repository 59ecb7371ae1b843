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

import type { PageChildTalk, TalkStatus } from "../porchlight.schemas.ts";

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

export type getTalkStatusResponse200 = {
  data: TalkStatus;
  status: 200;
};

export type getTalkStatusResponseSuccess = getTalkStatusResponse200 & {
  headers: Headers;
};
export const getGetTalkStatusUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/talk_status`;
};

/**
 * @summary Get what a child's assistants are doing now
 */
export const getTalkStatus = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<getTalkStatusResponseSuccess> => {
  return http<getTalkStatusResponseSuccess>(getGetTalkStatusUrl(childId), {
    ...options,
    method: "GET",
  });
};

export const getGetTalkStatusQueryKey = (childId: number) => {
  return [`/api/child/${childId}/talk_status`] as const;
};

export const getGetTalkStatusQueryOptions = <
  TData = Awaited<ReturnType<typeof getTalkStatus>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getTalkStatus>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetTalkStatusQueryKey(childId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getTalkStatus>>> = ({ signal }) =>
    getTalkStatus(childId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof getTalkStatus>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type GetTalkStatusQueryResult = NonNullable<Awaited<ReturnType<typeof getTalkStatus>>>;
export type GetTalkStatusQueryError = ErrorType<unknown>;

export function useGetTalkStatus<
  TData = Awaited<ReturnType<typeof getTalkStatus>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getTalkStatus>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getTalkStatus>>,
          TError,
          Awaited<ReturnType<typeof getTalkStatus>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetTalkStatus<
  TData = Awaited<ReturnType<typeof getTalkStatus>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getTalkStatus>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getTalkStatus>>,
          TError,
          Awaited<ReturnType<typeof getTalkStatus>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetTalkStatus<
  TData = Awaited<ReturnType<typeof getTalkStatus>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getTalkStatus>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get what a child's assistants are doing now
 */

export function useGetTalkStatus<
  TData = Awaited<ReturnType<typeof getTalkStatus>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getTalkStatus>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetTalkStatusQueryOptions(childId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type listChildTalkResponse200 = {
  data: PageChildTalk;
  status: 200;
};

export type listChildTalkResponseSuccess = listChildTalkResponse200 & {
  headers: Headers;
};
export const getListChildTalkUrl = () => {
  return `/api/children/talk_status`;
};

/**
 * @summary List which of the caller's children an assistant is talking with, by the child's id
 */
export const listChildTalk = async (
  options?: Parameters<typeof http>[1],
): Promise<listChildTalkResponseSuccess> => {
  return http<listChildTalkResponseSuccess>(getListChildTalkUrl(), {
    ...options,
    method: "GET",
  });
};

export const getListChildTalkQueryKey = () => {
  return [`/api/children/talk_status`] as const;
};

export const getListChildTalkQueryOptions = <
  TData = Awaited<ReturnType<typeof listChildTalk>>,
  TError = ErrorType<unknown>,
>(options?: {
  query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listChildTalk>>, TError, TData>>;
  request?: SecondParameter<typeof http>;
}) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getListChildTalkQueryKey();

  const queryFn: QueryFunction<Awaited<ReturnType<typeof listChildTalk>>> = ({ signal }) =>
    listChildTalk({ signal, ...requestOptions });

  return { queryKey, queryFn, ...queryOptions } as UseQueryOptions<
    Awaited<ReturnType<typeof listChildTalk>>,
    TError,
    TData
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type ListChildTalkQueryResult = NonNullable<Awaited<ReturnType<typeof listChildTalk>>>;
export type ListChildTalkQueryError = ErrorType<unknown>;

export function useListChildTalk<
  TData = Awaited<ReturnType<typeof listChildTalk>>,
  TError = ErrorType<unknown>,
>(
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof listChildTalk>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof listChildTalk>>,
          TError,
          Awaited<ReturnType<typeof listChildTalk>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListChildTalk<
  TData = Awaited<ReturnType<typeof listChildTalk>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listChildTalk>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof listChildTalk>>,
          TError,
          Awaited<ReturnType<typeof listChildTalk>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListChildTalk<
  TData = Awaited<ReturnType<typeof listChildTalk>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listChildTalk>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List which of the caller's children an assistant is talking with, by the child's id
 */

export function useListChildTalk<
  TData = Awaited<ReturnType<typeof listChildTalk>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listChildTalk>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getListChildTalkQueryOptions(options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}
