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
  Born,
  ChildLanguage,
  Context,
  ListSessionReceiptsParams,
  Receipts,
  ReplaceBirthMonth,
  Rules,
  Schedule,
  SessionReceipts,
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

export type getRulesResponse200 = {
  data: Rules;
  status: 200;
};

export type getRulesResponseSuccess = getRulesResponse200 & {
  headers: Headers;
};
export const getGetRulesUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/rules`;
};

/**
 * @summary Get the rules for a child's assistants
 */
export const getRules = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<getRulesResponseSuccess> => {
  return http<getRulesResponseSuccess>(getGetRulesUrl(childId), {
    ...options,
    method: "GET",
  });
};

export const getGetRulesQueryKey = (childId: number) => {
  return [`/api/child/${childId}/rules`] as const;
};

export const getGetRulesQueryOptions = <
  TData = Awaited<ReturnType<typeof getRules>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRules>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetRulesQueryKey(childId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getRules>>> = ({ signal }) =>
    getRules(childId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof getRules>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type GetRulesQueryResult = NonNullable<Awaited<ReturnType<typeof getRules>>>;
export type GetRulesQueryError = ErrorType<unknown>;

export function useGetRules<TData = Awaited<ReturnType<typeof getRules>>, TError = ErrorType<unknown>>(
  childId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRules>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getRules>>,
          TError,
          Awaited<ReturnType<typeof getRules>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetRules<TData = Awaited<ReturnType<typeof getRules>>, TError = ErrorType<unknown>>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRules>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getRules>>,
          TError,
          Awaited<ReturnType<typeof getRules>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetRules<TData = Awaited<ReturnType<typeof getRules>>, TError = ErrorType<unknown>>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRules>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get the rules for a child's assistants
 */

export function useGetRules<TData = Awaited<ReturnType<typeof getRules>>, TError = ErrorType<unknown>>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRules>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetRulesQueryOptions(childId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type getContextResponse200 = {
  data: Context;
  status: 200;
};

export type getContextResponseSuccess = getContextResponse200 & {
  headers: Headers;
};
export const getGetContextUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/context`;
};

/**
 * @summary Get the notes for assistants about a child
 */
export const getContext = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<getContextResponseSuccess> => {
  return http<getContextResponseSuccess>(getGetContextUrl(childId), {
    ...options,
    method: "GET",
  });
};

export const getGetContextQueryKey = (childId: number) => {
  return [`/api/child/${childId}/context`] as const;
};

export const getGetContextQueryOptions = <
  TData = Awaited<ReturnType<typeof getContext>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getContext>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetContextQueryKey(childId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getContext>>> = ({ signal }) =>
    getContext(childId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof getContext>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type GetContextQueryResult = NonNullable<Awaited<ReturnType<typeof getContext>>>;
export type GetContextQueryError = ErrorType<unknown>;

export function useGetContext<TData = Awaited<ReturnType<typeof getContext>>, TError = ErrorType<unknown>>(
  childId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getContext>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getContext>>,
          TError,
          Awaited<ReturnType<typeof getContext>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetContext<TData = Awaited<ReturnType<typeof getContext>>, TError = ErrorType<unknown>>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getContext>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getContext>>,
          TError,
          Awaited<ReturnType<typeof getContext>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetContext<TData = Awaited<ReturnType<typeof getContext>>, TError = ErrorType<unknown>>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getContext>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get the notes for assistants about a child
 */

export function useGetContext<TData = Awaited<ReturnType<typeof getContext>>, TError = ErrorType<unknown>>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getContext>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetContextQueryOptions(childId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type replaceContextResponse200 = {
  data: Context;
  status: 200;
};

export type replaceContextResponseSuccess = replaceContextResponse200 & {
  headers: Headers;
};
export const getReplaceContextUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/context`;
};

/**
 * @summary Replace the notes for assistants about a child
 */
export const replaceContext = async (
  childId: number,
  context: Context,
  options?: Parameters<typeof http>[1],
): Promise<replaceContextResponseSuccess> => {
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
  return http<replaceContextResponseSuccess>(getReplaceContextUrl(childId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(context),
  });
};

export type getReceiptsResponse200 = {
  data: Receipts;
  status: 200;
};

export type getReceiptsResponseSuccess = getReceiptsResponse200 & {
  headers: Headers;
};
export const getGetReceiptsUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/rules/receipts`;
};

/**
 * @summary List whether a child's assistants follow its blocked topics, according to their reports
 */
export const getReceipts = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<getReceiptsResponseSuccess> => {
  return http<getReceiptsResponseSuccess>(getGetReceiptsUrl(childId), {
    ...options,
    method: "GET",
  });
};

export const getGetReceiptsQueryKey = (childId: number) => {
  return [`/api/child/${childId}/rules/receipts`] as const;
};

export const getGetReceiptsQueryOptions = <
  TData = Awaited<ReturnType<typeof getReceipts>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getReceipts>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetReceiptsQueryKey(childId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getReceipts>>> = ({ signal }) =>
    getReceipts(childId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof getReceipts>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type GetReceiptsQueryResult = NonNullable<Awaited<ReturnType<typeof getReceipts>>>;
export type GetReceiptsQueryError = ErrorType<unknown>;

export function useGetReceipts<TData = Awaited<ReturnType<typeof getReceipts>>, TError = ErrorType<unknown>>(
  childId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getReceipts>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getReceipts>>,
          TError,
          Awaited<ReturnType<typeof getReceipts>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetReceipts<TData = Awaited<ReturnType<typeof getReceipts>>, TError = ErrorType<unknown>>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getReceipts>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getReceipts>>,
          TError,
          Awaited<ReturnType<typeof getReceipts>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetReceipts<TData = Awaited<ReturnType<typeof getReceipts>>, TError = ErrorType<unknown>>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getReceipts>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List whether a child's assistants follow its blocked topics, according to their reports
 */

export function useGetReceipts<TData = Awaited<ReturnType<typeof getReceipts>>, TError = ErrorType<unknown>>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getReceipts>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetReceiptsQueryOptions(childId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type listSessionReceiptsResponse200 = {
  data: SessionReceipts;
  status: 200;
};

export type listSessionReceiptsResponseSuccess = listSessionReceiptsResponse200 & {
  headers: Headers;
};
export const getListSessionReceiptsUrl = (sessionId: number, params?: ListSessionReceiptsParams) => {
  const normalizedParams = new URLSearchParams();

  Object.entries(params || {}).forEach(([key, value]) => {
    if (value !== undefined) {
      normalizedParams.append(key, value === null ? "null" : String(value));
    }
  });

  const stringifiedParams = normalizedParams.toString();

  return stringifiedParams.length > 0
    ? `/api/sessions/${encodeURIComponent(String(sessionId))}/receipts?${stringifiedParams}`
    : `/api/sessions/${encodeURIComponent(String(sessionId))}/receipts`;
};

/**
 * @summary List the rules that a session ran under, as its assistant reported
 */
export const listSessionReceipts = async (
  sessionId: number,
  params?: ListSessionReceiptsParams,
  options?: Parameters<typeof http>[1],
): Promise<listSessionReceiptsResponseSuccess> => {
  return http<listSessionReceiptsResponseSuccess>(getListSessionReceiptsUrl(sessionId, params), {
    ...options,
    method: "GET",
  });
};

export const getListSessionReceiptsQueryKey = (sessionId: number, params?: ListSessionReceiptsParams) => {
  return [`/api/sessions/${sessionId}/receipts`, ...(params ? [params] : [])] as const;
};

export const getListSessionReceiptsQueryOptions = <
  TData = Awaited<ReturnType<typeof listSessionReceipts>>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  params?: ListSessionReceiptsParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listSessionReceipts>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getListSessionReceiptsQueryKey(sessionId, params);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof listSessionReceipts>>> = ({ signal }) =>
    listSessionReceipts(sessionId, params, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: sessionId !== null && sessionId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof listSessionReceipts>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type ListSessionReceiptsQueryResult = NonNullable<Awaited<ReturnType<typeof listSessionReceipts>>>;
export type ListSessionReceiptsQueryError = ErrorType<unknown>;

export function useListSessionReceipts<
  TData = Awaited<ReturnType<typeof listSessionReceipts>>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  params: undefined | ListSessionReceiptsParams,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof listSessionReceipts>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof listSessionReceipts>>,
          TError,
          Awaited<ReturnType<typeof listSessionReceipts>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListSessionReceipts<
  TData = Awaited<ReturnType<typeof listSessionReceipts>>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  params?: ListSessionReceiptsParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listSessionReceipts>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof listSessionReceipts>>,
          TError,
          Awaited<ReturnType<typeof listSessionReceipts>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListSessionReceipts<
  TData = Awaited<ReturnType<typeof listSessionReceipts>>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  params?: ListSessionReceiptsParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listSessionReceipts>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List the rules that a session ran under, as its assistant reported
 */

export function useListSessionReceipts<
  TData = Awaited<ReturnType<typeof listSessionReceipts>>,
  TError = ErrorType<unknown>,
>(
  sessionId: number,
  params?: ListSessionReceiptsParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listSessionReceipts>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getListSessionReceiptsQueryOptions(sessionId, params, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type getBirthMonthResponse200 = {
  data: Born;
  status: 200;
};

export type getBirthMonthResponseSuccess = getBirthMonthResponse200 & {
  headers: Headers;
};
export const getGetBirthMonthUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/born`;
};

/**
 * @summary Get the month in which a child was born
 */
export const getBirthMonth = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<getBirthMonthResponseSuccess> => {
  return http<getBirthMonthResponseSuccess>(getGetBirthMonthUrl(childId), {
    ...options,
    method: "GET",
  });
};

export const getGetBirthMonthQueryKey = (childId: number) => {
  return [`/api/child/${childId}/born`] as const;
};

export const getGetBirthMonthQueryOptions = <
  TData = Awaited<ReturnType<typeof getBirthMonth>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getBirthMonth>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetBirthMonthQueryKey(childId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getBirthMonth>>> = ({ signal }) =>
    getBirthMonth(childId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof getBirthMonth>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type GetBirthMonthQueryResult = NonNullable<Awaited<ReturnType<typeof getBirthMonth>>>;
export type GetBirthMonthQueryError = ErrorType<unknown>;

export function useGetBirthMonth<
  TData = Awaited<ReturnType<typeof getBirthMonth>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getBirthMonth>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getBirthMonth>>,
          TError,
          Awaited<ReturnType<typeof getBirthMonth>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetBirthMonth<
  TData = Awaited<ReturnType<typeof getBirthMonth>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getBirthMonth>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getBirthMonth>>,
          TError,
          Awaited<ReturnType<typeof getBirthMonth>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetBirthMonth<
  TData = Awaited<ReturnType<typeof getBirthMonth>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getBirthMonth>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get the month in which a child was born
 */

export function useGetBirthMonth<
  TData = Awaited<ReturnType<typeof getBirthMonth>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getBirthMonth>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetBirthMonthQueryOptions(childId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type replaceBirthMonthResponse200 = {
  data: Born;
  status: 200;
};

export type replaceBirthMonthResponseSuccess = replaceBirthMonthResponse200 & {
  headers: Headers;
};
export const getReplaceBirthMonthUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/born`;
};

/**
 * Assistants are told the child's age in years, unless their key is for several children. The month can't be in the future
 * or more than 25 years ago.
 * @summary Replace the month in which a child was born
 */
export const replaceBirthMonth = async (
  childId: number,
  replaceBirthMonthBody: ReplaceBirthMonth,
  options?: Parameters<typeof http>[1],
): Promise<replaceBirthMonthResponseSuccess> => {
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
  return http<replaceBirthMonthResponseSuccess>(getReplaceBirthMonthUrl(childId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(replaceBirthMonthBody),
  });
};

export const getReplaceBirthMonthMutationKey = () => ["replaceBirthMonth"] as const;

export const getReplaceBirthMonthMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof replaceBirthMonth>>,
    TError,
    ReplaceBirthMonthMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof replaceBirthMonth>>,
  TError,
  ReplaceBirthMonthMutationVariables,
  TContext
> => {
  const mutationKey = getReplaceBirthMonthMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof replaceBirthMonth>>,
    ReplaceBirthMonthMutationVariables
  > = (props) => {
    const { childId, data } = props ?? {};

    return replaceBirthMonth(childId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type ReplaceBirthMonthMutationResult = NonNullable<Awaited<ReturnType<typeof replaceBirthMonth>>>;
export type ReplaceBirthMonthMutationBody = ReplaceBirthMonth;
export type ReplaceBirthMonthMutationError = ErrorType<unknown>;
export type ReplaceBirthMonthMutationVariables = { childId: number; data: ReplaceBirthMonth };

/**
 * @summary Replace the month in which a child was born
 */
export const useReplaceBirthMonth = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof replaceBirthMonth>>,
      TError,
      ReplaceBirthMonthMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof replaceBirthMonth>>,
  TError,
  ReplaceBirthMonthMutationVariables,
  TContext
> => {
  return useMutation(getReplaceBirthMonthMutationOptions(options), queryClient);
};
export type getChildLanguageResponse200 = {
  data: ChildLanguage;
  status: 200;
};

export type getChildLanguageResponseSuccess = getChildLanguageResponse200 & {
  headers: Headers;
};
export const getGetChildLanguageUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/language`;
};

/**
 * @summary Get the language that a child speaks with its assistants
 */
export const getChildLanguage = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<getChildLanguageResponseSuccess> => {
  return http<getChildLanguageResponseSuccess>(getGetChildLanguageUrl(childId), {
    ...options,
    method: "GET",
  });
};

export const getGetChildLanguageQueryKey = (childId: number) => {
  return [`/api/child/${childId}/language`] as const;
};

export const getGetChildLanguageQueryOptions = <
  TData = Awaited<ReturnType<typeof getChildLanguage>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getChildLanguage>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetChildLanguageQueryKey(childId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getChildLanguage>>> = ({ signal }) =>
    getChildLanguage(childId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof getChildLanguage>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type GetChildLanguageQueryResult = NonNullable<Awaited<ReturnType<typeof getChildLanguage>>>;
export type GetChildLanguageQueryError = ErrorType<unknown>;

export function useGetChildLanguage<
  TData = Awaited<ReturnType<typeof getChildLanguage>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getChildLanguage>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getChildLanguage>>,
          TError,
          Awaited<ReturnType<typeof getChildLanguage>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetChildLanguage<
  TData = Awaited<ReturnType<typeof getChildLanguage>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getChildLanguage>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getChildLanguage>>,
          TError,
          Awaited<ReturnType<typeof getChildLanguage>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetChildLanguage<
  TData = Awaited<ReturnType<typeof getChildLanguage>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getChildLanguage>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get the language that a child speaks with its assistants
 */

export function useGetChildLanguage<
  TData = Awaited<ReturnType<typeof getChildLanguage>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getChildLanguage>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetChildLanguageQueryOptions(childId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type replaceChildLanguageResponse200 = {
  data: ChildLanguage;
  status: 200;
};

export type replaceChildLanguageResponseSuccess = replaceChildLanguageResponse200 & {
  headers: Headers;
};
export const getReplaceChildLanguageUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/language`;
};

/**
 * Assistants are told to speak it unless the child speaks another one, and `goodbye` is in it. Without one they speak the
 * child's own language, and `goodbye` is in English.
 * @summary Replace the language that a child speaks with its assistants
 */
export const replaceChildLanguage = async (
  childId: number,
  childLanguage: ChildLanguage,
  options?: Parameters<typeof http>[1],
): Promise<replaceChildLanguageResponseSuccess> => {
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
  return http<replaceChildLanguageResponseSuccess>(getReplaceChildLanguageUrl(childId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(childLanguage),
  });
};

export const getReplaceChildLanguageMutationKey = () => ["replaceChildLanguage"] as const;

export const getReplaceChildLanguageMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof replaceChildLanguage>>,
    TError,
    ReplaceChildLanguageMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof replaceChildLanguage>>,
  TError,
  ReplaceChildLanguageMutationVariables,
  TContext
> => {
  const mutationKey = getReplaceChildLanguageMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof replaceChildLanguage>>,
    ReplaceChildLanguageMutationVariables
  > = (props) => {
    const { childId, data } = props ?? {};

    return replaceChildLanguage(childId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type ReplaceChildLanguageMutationResult = NonNullable<
  Awaited<ReturnType<typeof replaceChildLanguage>>
>;
export type ReplaceChildLanguageMutationBody = ChildLanguage;
export type ReplaceChildLanguageMutationError = ErrorType<unknown>;
export type ReplaceChildLanguageMutationVariables = { childId: number; data: ChildLanguage };

/**
 * @summary Replace the language that a child speaks with its assistants
 */
export const useReplaceChildLanguage = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof replaceChildLanguage>>,
      TError,
      ReplaceChildLanguageMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof replaceChildLanguage>>,
  TError,
  ReplaceChildLanguageMutationVariables,
  TContext
> => {
  return useMutation(getReplaceChildLanguageMutationOptions(options), queryClient);
};
export type getTimesResponse200 = {
  data: Schedule;
  status: 200;
};

export type getTimesResponseSuccess = getTimesResponse200 & {
  headers: Headers;
};
export const getGetTimesUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/times`;
};

/**
 * @summary Get the times at which assistants may talk with a child
 */
export const getTimes = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<getTimesResponseSuccess> => {
  return http<getTimesResponseSuccess>(getGetTimesUrl(childId), {
    ...options,
    method: "GET",
  });
};

export const getGetTimesQueryKey = (childId: number) => {
  return [`/api/child/${childId}/times`] as const;
};

export const getGetTimesQueryOptions = <
  TData = Awaited<ReturnType<typeof getTimes>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getTimes>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetTimesQueryKey(childId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getTimes>>> = ({ signal }) =>
    getTimes(childId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof getTimes>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type GetTimesQueryResult = NonNullable<Awaited<ReturnType<typeof getTimes>>>;
export type GetTimesQueryError = ErrorType<unknown>;

export function useGetTimes<TData = Awaited<ReturnType<typeof getTimes>>, TError = ErrorType<unknown>>(
  childId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getTimes>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getTimes>>,
          TError,
          Awaited<ReturnType<typeof getTimes>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetTimes<TData = Awaited<ReturnType<typeof getTimes>>, TError = ErrorType<unknown>>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getTimes>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getTimes>>,
          TError,
          Awaited<ReturnType<typeof getTimes>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetTimes<TData = Awaited<ReturnType<typeof getTimes>>, TError = ErrorType<unknown>>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getTimes>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get the times at which assistants may talk with a child
 */

export function useGetTimes<TData = Awaited<ReturnType<typeof getTimes>>, TError = ErrorType<unknown>>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getTimes>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetTimesQueryOptions(childId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type replaceTimesResponse200 = {
  data: Schedule;
  status: 200;
};

export type replaceTimesResponseSuccess = replaceTimesResponse200 & {
  headers: Headers;
};
export const getReplaceTimesUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/times`;
};

/**
 * Replaces everything: an omitted limit is removed, and an omitted pause is ended. A pause that changes nothing else
 * doesn't count as a change.
 * @summary Replace the times at which assistants may talk with a child
 */
export const replaceTimes = async (
  childId: number,
  schedule: Schedule,
  options?: Parameters<typeof http>[1],
): Promise<replaceTimesResponseSuccess> => {
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
  return http<replaceTimesResponseSuccess>(getReplaceTimesUrl(childId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(schedule),
  });
};
