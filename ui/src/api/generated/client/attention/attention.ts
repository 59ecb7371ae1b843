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

import type { AssistantNotInUse, PageChildAttention } from "../porchlight.schemas.ts";

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

export type getAttentionResponse200 = {
  data: PageChildAttention;
  status: 200;
};

export type getAttentionResponseSuccess = getAttentionResponse200 & {
  headers: Headers;
};
export const getGetAttentionUrl = () => {
  return `/api/attention`;
};

/**
 * For each of the caller's children, by id: the gravest thing that waits, how many others do, and how far Porchlight sees. It
 * is the caller's own view. The event `attention` comes when `sees.assistants[].not_in_use` changes; `alerts`, `receipts`,
 * `reviewer`, `history` and `session` come when something else in it may have changed.
 * @summary List what needs the caller
 */
export const getAttention = async (
  options?: Parameters<typeof http>[1],
): Promise<getAttentionResponseSuccess> => {
  return http<getAttentionResponseSuccess>(getGetAttentionUrl(), {
    ...options,
    method: "GET",
  });
};

export const getGetAttentionQueryKey = () => {
  return [`/api/attention`] as const;
};

export const getGetAttentionQueryOptions = <
  TData = Awaited<ReturnType<typeof getAttention>>,
  TError = ErrorType<unknown>,
>(options?: {
  query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getAttention>>, TError, TData>>;
  request?: SecondParameter<typeof http>;
}) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetAttentionQueryKey();

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getAttention>>> = ({ signal }) =>
    getAttention({ signal, ...requestOptions });

  return { queryKey, queryFn, ...queryOptions } as UseQueryOptions<
    Awaited<ReturnType<typeof getAttention>>,
    TError,
    TData
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type GetAttentionQueryResult = NonNullable<Awaited<ReturnType<typeof getAttention>>>;
export type GetAttentionQueryError = ErrorType<unknown>;

export function useGetAttention<
  TData = Awaited<ReturnType<typeof getAttention>>,
  TError = ErrorType<unknown>,
>(
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getAttention>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getAttention>>,
          TError,
          Awaited<ReturnType<typeof getAttention>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetAttention<
  TData = Awaited<ReturnType<typeof getAttention>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getAttention>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getAttention>>,
          TError,
          Awaited<ReturnType<typeof getAttention>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetAttention<
  TData = Awaited<ReturnType<typeof getAttention>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getAttention>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List what needs the caller
 */

export function useGetAttention<
  TData = Awaited<ReturnType<typeof getAttention>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getAttention>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetAttentionQueryOptions(options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type setAssistantNotInUseResponse204 = {
  data: void;
  status: 204;
};

export type setAssistantNotInUseResponseSuccess = setAssistantNotInUseResponse204 & {
  headers: Headers;
};
export const getSetAssistantNotInUseUrl = (childId: number, assistantId: string) => {
  return `/api/child/${encodeURIComponent(String(childId))}/assistants/${encodeURIComponent(String(assistantId))}/not_in_use`;
};

/**
 * For the caller alone, and one child: no other guardian learns of it, and no time is kept. It doesn't disconnect the
 * assistant, and ends when the assistant connects again.
 * @summary Say whether one doesn't use an assistant any more
 */
export const setAssistantNotInUse = async (
  childId: number,
  assistantId: string,
  assistantNotInUse: AssistantNotInUse,
  options?: Parameters<typeof http>[1],
): Promise<setAssistantNotInUseResponseSuccess> => {
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
  return http<setAssistantNotInUseResponseSuccess>(getSetAssistantNotInUseUrl(childId, assistantId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(assistantNotInUse),
  });
};

export const getSetAssistantNotInUseMutationKey = () => ["setAssistantNotInUse"] as const;

export const getSetAssistantNotInUseMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof setAssistantNotInUse>>,
    TError,
    SetAssistantNotInUseMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof setAssistantNotInUse>>,
  TError,
  SetAssistantNotInUseMutationVariables,
  TContext
> => {
  const mutationKey = getSetAssistantNotInUseMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof setAssistantNotInUse>>,
    SetAssistantNotInUseMutationVariables
  > = (props) => {
    const { childId, assistantId, data } = props ?? {};

    return setAssistantNotInUse(childId, assistantId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type SetAssistantNotInUseMutationResult = NonNullable<
  Awaited<ReturnType<typeof setAssistantNotInUse>>
>;
export type SetAssistantNotInUseMutationBody = AssistantNotInUse;
export type SetAssistantNotInUseMutationError = ErrorType<unknown>;
export type SetAssistantNotInUseMutationVariables = {
  childId: number;
  assistantId: string;
  data: AssistantNotInUse;
};

/**
 * @summary Say whether one doesn't use an assistant any more
 */
export const useSetAssistantNotInUse = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof setAssistantNotInUse>>,
      TError,
      SetAssistantNotInUseMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof setAssistantNotInUse>>,
  TError,
  SetAssistantNotInUseMutationVariables,
  TContext
> => {
  return useMutation(getSetAssistantNotInUseMutationOptions(options), queryClient);
};
