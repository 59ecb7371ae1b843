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
  ConversationStarters,
  ConversationStartersSwitch,
  GetConversationStartersParams,
  HiddenQuestion,
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

export type getConversationStartersResponse200 = {
  data: ConversationStarters;
  status: 200;
};

export type getConversationStartersResponseSuccess = getConversationStartersResponse200 & {
  headers: Headers;
};
export const getGetConversationStartersUrl = (childId: number, params?: GetConversationStartersParams) => {
  const normalizedParams = new URLSearchParams();

  Object.entries(params || {}).forEach(([key, value]) => {
    if (value !== undefined) {
      normalizedParams.append(key, value === null ? "null" : String(value));
    }
  });

  const stringifiedParams = normalizedParams.toString();

  return stringifiedParams.length > 0
    ? `/api/child/${encodeURIComponent(String(childId))}/curious?${stringifiedParams}`
    : `/api/child/${encodeURIComponent(String(childId))}/curious`;
};

/**
 * Harmless questions of the child, chosen by rules, read for a short time. Days are in the child's time zone; at most 31.
 * @summary Get what a child was curious about
 */
export const getConversationStarters = async (
  childId: number,
  params?: GetConversationStartersParams,
  options?: Parameters<typeof http>[1],
): Promise<getConversationStartersResponseSuccess> => {
  return http<getConversationStartersResponseSuccess>(getGetConversationStartersUrl(childId, params), {
    ...options,
    method: "GET",
  });
};

export const getGetConversationStartersQueryKey = (
  childId: number,
  params?: GetConversationStartersParams,
) => {
  return [`/api/child/${childId}/curious`, ...(params ? [params] : [])] as const;
};

export const getGetConversationStartersQueryOptions = <
  TData = Awaited<ReturnType<typeof getConversationStarters>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: GetConversationStartersParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getConversationStarters>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetConversationStartersQueryKey(childId, params);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getConversationStarters>>> = ({ signal }) =>
    getConversationStarters(childId, params, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof getConversationStarters>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type GetConversationStartersQueryResult = NonNullable<
  Awaited<ReturnType<typeof getConversationStarters>>
>;
export type GetConversationStartersQueryError = ErrorType<unknown>;

export function useGetConversationStarters<
  TData = Awaited<ReturnType<typeof getConversationStarters>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params: undefined | GetConversationStartersParams,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getConversationStarters>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getConversationStarters>>,
          TError,
          Awaited<ReturnType<typeof getConversationStarters>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetConversationStarters<
  TData = Awaited<ReturnType<typeof getConversationStarters>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: GetConversationStartersParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getConversationStarters>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getConversationStarters>>,
          TError,
          Awaited<ReturnType<typeof getConversationStarters>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetConversationStarters<
  TData = Awaited<ReturnType<typeof getConversationStarters>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: GetConversationStartersParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getConversationStarters>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get what a child was curious about
 */

export function useGetConversationStarters<
  TData = Awaited<ReturnType<typeof getConversationStarters>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: GetConversationStartersParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getConversationStarters>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetConversationStartersQueryOptions(childId, params, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type hideConversationStarterResponse204 = {
  data: void;
  status: 204;
};

export type hideConversationStarterResponseSuccess = hideConversationStarterResponse204 & {
  headers: Headers;
};
export const getHideConversationStarterUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/curious/hidden`;
};

/**
 * For the calling guardian alone, and for good.
 * @summary Hide a question of a child
 */
export const hideConversationStarter = async (
  childId: number,
  hiddenQuestion: HiddenQuestion,
  options?: Parameters<typeof http>[1],
): Promise<hideConversationStarterResponseSuccess> => {
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
  return http<hideConversationStarterResponseSuccess>(getHideConversationStarterUrl(childId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(hiddenQuestion),
  });
};

export const getHideConversationStarterMutationKey = () => ["hideConversationStarter"] as const;

export const getHideConversationStarterMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof hideConversationStarter>>,
    TError,
    HideConversationStarterMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof hideConversationStarter>>,
  TError,
  HideConversationStarterMutationVariables,
  TContext
> => {
  const mutationKey = getHideConversationStarterMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof hideConversationStarter>>,
    HideConversationStarterMutationVariables
  > = (props) => {
    const { childId, data } = props ?? {};

    return hideConversationStarter(childId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type HideConversationStarterMutationResult = NonNullable<
  Awaited<ReturnType<typeof hideConversationStarter>>
>;
export type HideConversationStarterMutationBody = HiddenQuestion;
export type HideConversationStarterMutationError = ErrorType<unknown>;
export type HideConversationStarterMutationVariables = { childId: number; data: HiddenQuestion };

/**
 * @summary Hide a question of a child
 */
export const useHideConversationStarter = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof hideConversationStarter>>,
      TError,
      HideConversationStarterMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof hideConversationStarter>>,
  TError,
  HideConversationStarterMutationVariables,
  TContext
> => {
  return useMutation(getHideConversationStarterMutationOptions(options), queryClient);
};
export type switchConversationStartersResponse204 = {
  data: void;
  status: 204;
};

export type switchConversationStartersResponseSuccess = switchConversationStartersResponse204 & {
  headers: Headers;
};
export const getSwitchConversationStartersUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/curious/on`;
};

/**
 * For all of the child's guardians.
 * @summary Turn a child's questions on or off
 */
export const switchConversationStarters = async (
  childId: number,
  conversationStartersSwitch: ConversationStartersSwitch,
  options?: Parameters<typeof http>[1],
): Promise<switchConversationStartersResponseSuccess> => {
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
  return http<switchConversationStartersResponseSuccess>(getSwitchConversationStartersUrl(childId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(conversationStartersSwitch),
  });
};

export const getSwitchConversationStartersMutationKey = () => ["switchConversationStarters"] as const;

export const getSwitchConversationStartersMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof switchConversationStarters>>,
    TError,
    SwitchConversationStartersMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof switchConversationStarters>>,
  TError,
  SwitchConversationStartersMutationVariables,
  TContext
> => {
  const mutationKey = getSwitchConversationStartersMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof switchConversationStarters>>,
    SwitchConversationStartersMutationVariables
  > = (props) => {
    const { childId, data } = props ?? {};

    return switchConversationStarters(childId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type SwitchConversationStartersMutationResult = NonNullable<
  Awaited<ReturnType<typeof switchConversationStarters>>
>;
export type SwitchConversationStartersMutationBody = ConversationStartersSwitch;
export type SwitchConversationStartersMutationError = ErrorType<unknown>;
export type SwitchConversationStartersMutationVariables = {
  childId: number;
  data: ConversationStartersSwitch;
};

/**
 * @summary Turn a child's questions on or off
 */
export const useSwitchConversationStarters = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof switchConversationStarters>>,
      TError,
      SwitchConversationStartersMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof switchConversationStarters>>,
  TError,
  SwitchConversationStartersMutationVariables,
  TContext
> => {
  return useMutation(getSwitchConversationStartersMutationOptions(options), queryClient);
};
