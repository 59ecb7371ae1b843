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
  ListTriesParams,
  PageTry,
  PreviewTryParams,
  StartTryRequest,
  Try,
  TryPreview,
  TryVerdict,
  TryWithAnswers,
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

export type previewTryResponse200 = {
  data: TryPreview;
  status: 200;
};

export type previewTryResponseSuccess = previewTryResponse200 & {
  headers: Headers;
};
export const getPreviewTryUrl = (childId: number, params: PreviewTryParams) => {
  const normalizedParams = new URLSearchParams();

  Object.entries(params || {}).forEach(([key, value]) => {
    if (value !== undefined) {
      normalizedParams.append(key, value === null ? "null" : String(value));
    }
  });

  const stringifiedParams = normalizedParams.toString();

  return stringifiedParams.length > 0
    ? `/api/child/${encodeURIComponent(String(childId))}/tries/preview?${stringifiedParams}`
    : `/api/child/${encodeURIComponent(String(childId))}/tries/preview`;
};

/**
 * The questions, in the order in which they are asked, how many requests and about how many tokens they take, and where they
 * go. They stay the same until the caller starts a try, or the topics change. 409 if the assistant doesn't reach its model
 * through the gateway, has no model, or it isn't known which one.
 * @summary Get what a try would ask
 */
export const previewTry = async (
  childId: number,
  params: PreviewTryParams,
  options?: Parameters<typeof http>[1],
): Promise<previewTryResponseSuccess> => {
  return http<previewTryResponseSuccess>(getPreviewTryUrl(childId, params), {
    ...options,
    method: "GET",
  });
};

export const getPreviewTryQueryKey = (childId: number, params?: PreviewTryParams) => {
  return [`/api/child/${childId}/tries/preview`, ...(params ? [params] : [])] as const;
};

export const getPreviewTryQueryOptions = <
  TData = Awaited<ReturnType<typeof previewTry>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params: PreviewTryParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof previewTry>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getPreviewTryQueryKey(childId, params);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof previewTry>>> = ({ signal }) =>
    previewTry(childId, params, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof previewTry>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type PreviewTryQueryResult = NonNullable<Awaited<ReturnType<typeof previewTry>>>;
export type PreviewTryQueryError = ErrorType<unknown>;

export function usePreviewTry<TData = Awaited<ReturnType<typeof previewTry>>, TError = ErrorType<unknown>>(
  childId: number,
  params: PreviewTryParams,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof previewTry>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof previewTry>>,
          TError,
          Awaited<ReturnType<typeof previewTry>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function usePreviewTry<TData = Awaited<ReturnType<typeof previewTry>>, TError = ErrorType<unknown>>(
  childId: number,
  params: PreviewTryParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof previewTry>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof previewTry>>,
          TError,
          Awaited<ReturnType<typeof previewTry>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function usePreviewTry<TData = Awaited<ReturnType<typeof previewTry>>, TError = ErrorType<unknown>>(
  childId: number,
  params: PreviewTryParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof previewTry>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get what a try would ask
 */

export function usePreviewTry<TData = Awaited<ReturnType<typeof previewTry>>, TError = ErrorType<unknown>>(
  childId: number,
  params: PreviewTryParams,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof previewTry>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getPreviewTryQueryOptions(childId, params, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type startTryResponse201 = {
  data: Try;
  status: 201;
};

export type startTryResponseSuccess = startTryResponse201 & {
  headers: Headers;
};
export const getStartTryUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/tries`;
};

/**
 * Requires stepping up (403 otherwise). One a day (UTC) for each guardian and child (429 otherwise); one that got no answer
 * doesn't count, up to three starts a day. It runs in the background, one after the other for each model's server: see `state`. All of the child's
 * guardians see it, and that it was started is in the history. It asks what `previewTry` says.
 *
 * A try isn't the child talking: it also runs while talking is not allowed, and the child's own requests come first in its
 * daily budget.
 * @summary Start a try of a child's rules
 */
export const startTry = async (
  childId: number,
  startTryRequest: StartTryRequest,
  options?: Parameters<typeof http>[1],
): Promise<startTryResponseSuccess> => {
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
  return http<startTryResponseSuccess>(getStartTryUrl(childId), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(startTryRequest),
  });
};

export const getStartTryMutationKey = () => ["startTry"] as const;

export const getStartTryMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof startTry>>,
    TError,
    StartTryMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<Awaited<ReturnType<typeof startTry>>, TError, StartTryMutationVariables, TContext> => {
  const mutationKey = getStartTryMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<Awaited<ReturnType<typeof startTry>>, StartTryMutationVariables> = (
    props,
  ) => {
    const { childId, data } = props ?? {};

    return startTry(childId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type StartTryMutationResult = NonNullable<Awaited<ReturnType<typeof startTry>>>;
export type StartTryMutationBody = StartTryRequest;
export type StartTryMutationError = ErrorType<unknown>;
export type StartTryMutationVariables = { childId: number; data: StartTryRequest };

/**
 * @summary Start a try of a child's rules
 */
export const useStartTry = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof startTry>>,
      TError,
      StartTryMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<Awaited<ReturnType<typeof startTry>>, TError, StartTryMutationVariables, TContext> => {
  return useMutation(getStartTryMutationOptions(options), queryClient);
};
export type listTriesResponse200 = {
  data: PageTry;
  status: 200;
};

export type listTriesResponseSuccess = listTriesResponse200 & {
  headers: Headers;
};
export const getListTriesUrl = (childId: number, params?: ListTriesParams) => {
  const normalizedParams = new URLSearchParams();

  Object.entries(params || {}).forEach(([key, value]) => {
    if (value !== undefined) {
      normalizedParams.append(key, value === null ? "null" : String(value));
    }
  });

  const stringifiedParams = normalizedParams.toString();

  return stringifiedParams.length > 0
    ? `/api/child/${encodeURIComponent(String(childId))}/tries?${stringifiedParams}`
    : `/api/child/${encodeURIComponent(String(childId))}/tries`;
};

/**
 * Without those that the caller has hidden.
 * @summary List the tries of a child's rules, newest first
 */
export const listTries = async (
  childId: number,
  params?: ListTriesParams,
  options?: Parameters<typeof http>[1],
): Promise<listTriesResponseSuccess> => {
  return http<listTriesResponseSuccess>(getListTriesUrl(childId, params), {
    ...options,
    method: "GET",
  });
};

export type getTryResponse200 = {
  data: TryWithAnswers;
  status: 200;
};

export type getTryResponseSuccess = getTryResponse200 & {
  headers: Headers;
};
export const getGetTryUrl = (childId: number, tryId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/tries/${encodeURIComponent(String(tryId))}`;
};

/**
 * The answers that are not as expected come first, then those that wait for the caller, then questions without an answer.
 * They are made up: the child said none of this. After `answers_until` there are no answers any more.
 * @summary Get a try with its questions and answers
 */
export const getTry = async (
  childId: number,
  tryId: number,
  options?: Parameters<typeof http>[1],
): Promise<getTryResponseSuccess> => {
  return http<getTryResponseSuccess>(getGetTryUrl(childId, tryId), {
    ...options,
    method: "GET",
  });
};

export const getGetTryQueryKey = (childId: number, tryId: number) => {
  return [`/api/child/${childId}/tries/${tryId}`] as const;
};

export const getGetTryQueryOptions = <
  TData = Awaited<ReturnType<typeof getTry>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  tryId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getTry>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetTryQueryKey(childId, tryId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getTry>>> = ({ signal }) =>
    getTry(childId, tryId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined && tryId !== null && tryId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof getTry>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type GetTryQueryResult = NonNullable<Awaited<ReturnType<typeof getTry>>>;
export type GetTryQueryError = ErrorType<unknown>;

export function useGetTry<TData = Awaited<ReturnType<typeof getTry>>, TError = ErrorType<unknown>>(
  childId: number,
  tryId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getTry>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getTry>>,
          TError,
          Awaited<ReturnType<typeof getTry>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetTry<TData = Awaited<ReturnType<typeof getTry>>, TError = ErrorType<unknown>>(
  childId: number,
  tryId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getTry>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getTry>>,
          TError,
          Awaited<ReturnType<typeof getTry>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetTry<TData = Awaited<ReturnType<typeof getTry>>, TError = ErrorType<unknown>>(
  childId: number,
  tryId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getTry>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get a try with its questions and answers
 */

export function useGetTry<TData = Awaited<ReturnType<typeof getTry>>, TError = ErrorType<unknown>>(
  childId: number,
  tryId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getTry>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetTryQueryOptions(childId, tryId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type deleteTryResponse204 = {
  data: void;
  status: 204;
};

export type deleteTryResponseSuccess = deleteTryResponse204 & {
  headers: Headers;
};
export const getDeleteTryUrl = (childId: number, tryId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/tries/${encodeURIComponent(String(tryId))}`;
};

/**
 * A try of the caller's own that waits or runs is stopped, and stays with what was answered. Any other try is hidden from the
 * caller alone.
 * @summary Stop one's own try, or hide a try from oneself
 */
export const deleteTry = async (
  childId: number,
  tryId: number,
  options?: Parameters<typeof http>[1],
): Promise<deleteTryResponseSuccess> => {
  return http<deleteTryResponseSuccess>(getDeleteTryUrl(childId, tryId), {
    ...options,
    method: "DELETE",
  });
};

export const getDeleteTryMutationKey = () => ["deleteTry"] as const;

export const getDeleteTryMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof deleteTry>>,
    TError,
    DeleteTryMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof deleteTry>>,
  TError,
  DeleteTryMutationVariables,
  TContext
> => {
  const mutationKey = getDeleteTryMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<Awaited<ReturnType<typeof deleteTry>>, DeleteTryMutationVariables> = (
    props,
  ) => {
    const { childId, tryId } = props ?? {};

    return deleteTry(childId, tryId, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type DeleteTryMutationResult = NonNullable<Awaited<ReturnType<typeof deleteTry>>>;

export type DeleteTryMutationError = ErrorType<unknown>;
export type DeleteTryMutationVariables = { childId: number; tryId: number };

/**
 * @summary Stop one's own try, or hide a try from oneself
 */
export const useDeleteTry = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof deleteTry>>,
      TError,
      DeleteTryMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<Awaited<ReturnType<typeof deleteTry>>, TError, DeleteTryMutationVariables, TContext> => {
  return useMutation(getDeleteTryMutationOptions(options), queryClient);
};
export type judgeTryAnswerResponse204 = {
  data: void;
  status: 204;
};

export type judgeTryAnswerResponseSuccess = judgeTryAnswerResponse204 & {
  headers: Headers;
};
export const getJudgeTryAnswerUrl = (childId: number, tryId: number, number: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/tries/${encodeURIComponent(String(tryId))}/answers/${encodeURIComponent(String(number))}/verdict`;
};

/**
 * For the caller alone: other guardians don't see it, and it changes the figures of no other guardian.
 * @summary Judge an answer
 */
export const judgeTryAnswer = async (
  childId: number,
  tryId: number,
  number: number,
  tryVerdict: TryVerdict,
  options?: Parameters<typeof http>[1],
): Promise<judgeTryAnswerResponseSuccess> => {
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
  return http<judgeTryAnswerResponseSuccess>(getJudgeTryAnswerUrl(childId, tryId, number), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(tryVerdict),
  });
};

export const getJudgeTryAnswerMutationKey = () => ["judgeTryAnswer"] as const;

export const getJudgeTryAnswerMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof judgeTryAnswer>>,
    TError,
    JudgeTryAnswerMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof judgeTryAnswer>>,
  TError,
  JudgeTryAnswerMutationVariables,
  TContext
> => {
  const mutationKey = getJudgeTryAnswerMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof judgeTryAnswer>>,
    JudgeTryAnswerMutationVariables
  > = (props) => {
    const { childId, tryId, number, data } = props ?? {};

    return judgeTryAnswer(childId, tryId, number, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type JudgeTryAnswerMutationResult = NonNullable<Awaited<ReturnType<typeof judgeTryAnswer>>>;
export type JudgeTryAnswerMutationBody = TryVerdict;
export type JudgeTryAnswerMutationError = ErrorType<unknown>;
export type JudgeTryAnswerMutationVariables = {
  childId: number;
  tryId: number;
  number: number;
  data: TryVerdict;
};

/**
 * @summary Judge an answer
 */
export const useJudgeTryAnswer = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof judgeTryAnswer>>,
      TError,
      JudgeTryAnswerMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof judgeTryAnswer>>,
  TError,
  JudgeTryAnswerMutationVariables,
  TContext
> => {
  return useMutation(getJudgeTryAnswerMutationOptions(options), queryClient);
};
