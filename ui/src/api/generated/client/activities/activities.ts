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
  CompletedActivity,
  Feedback,
  ListCompletedActivitiesParams,
  UpcomingActivity,
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

export type listCompletedActivitiesResponse200 = {
  data: CompletedActivity[];
  status: 200;
};

export type listCompletedActivitiesResponseSuccess = listCompletedActivitiesResponse200 & {
  headers: Headers;
};
export const getListCompletedActivitiesUrl = (childId: number, params?: ListCompletedActivitiesParams) => {
  const normalizedParams = new URLSearchParams();

  Object.entries(params || {}).forEach(([key, value]) => {
    if (value !== undefined) {
      normalizedParams.append(key, value === null ? "null" : String(value));
    }
  });

  const stringifiedParams = normalizedParams.toString();

  return stringifiedParams.length > 0
    ? `/api/child/${encodeURIComponent(String(childId))}/activities/completed?${stringifiedParams}`
    : `/api/child/${encodeURIComponent(String(childId))}/activities/completed`;
};

/**
 * At most 500 per page; the `Link` header has the next page.
 * @summary List a child's completed activities, newest first
 */
export const listCompletedActivities = async (
  childId: number,
  params?: ListCompletedActivitiesParams,
  options?: Parameters<typeof http>[1],
): Promise<listCompletedActivitiesResponseSuccess> => {
  return http<listCompletedActivitiesResponseSuccess>(getListCompletedActivitiesUrl(childId, params), {
    ...options,
    method: "GET",
  });
};

export const getListCompletedActivitiesInfiniteQueryKey = (
  childId: number,
  params?: ListCompletedActivitiesParams,
) => {
  return ["infinite", `/api/child/${childId}/activities/completed`, ...(params ? [params] : [])] as const;
};

export const getListCompletedActivitiesInfiniteQueryOptions = <
  TData = InfiniteData<
    Awaited<ReturnType<typeof listCompletedActivities>>,
    ListCompletedActivitiesParams["before"]
  >,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: ListCompletedActivitiesParams,
  options?: {
    query?: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listCompletedActivities>>,
        TError,
        TData,
        QueryKey,
        ListCompletedActivitiesParams["before"]
      >
    >;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getListCompletedActivitiesInfiniteQueryKey(childId, params);

  const queryFn: QueryFunction<
    Awaited<ReturnType<typeof listCompletedActivities>>,
    QueryKey,
    ListCompletedActivitiesParams["before"]
  > = ({ signal, pageParam }) =>
    listCompletedActivities(
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
    Awaited<ReturnType<typeof listCompletedActivities>>,
    TError,
    TData,
    QueryKey,
    ListCompletedActivitiesParams["before"]
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type ListCompletedActivitiesInfiniteQueryResult = NonNullable<
  Awaited<ReturnType<typeof listCompletedActivities>>
>;
export type ListCompletedActivitiesInfiniteQueryError = ErrorType<unknown>;

export function useListCompletedActivitiesInfinite<
  TData = InfiniteData<
    Awaited<ReturnType<typeof listCompletedActivities>>,
    ListCompletedActivitiesParams["before"]
  >,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params: undefined | ListCompletedActivitiesParams,
  options: {
    query: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listCompletedActivities>>,
        TError,
        TData,
        QueryKey,
        ListCompletedActivitiesParams["before"]
      >
    > &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof listCompletedActivities>>,
          TError,
          Awaited<ReturnType<typeof listCompletedActivities>>,
          QueryKey
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseInfiniteQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListCompletedActivitiesInfinite<
  TData = InfiniteData<
    Awaited<ReturnType<typeof listCompletedActivities>>,
    ListCompletedActivitiesParams["before"]
  >,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: ListCompletedActivitiesParams,
  options?: {
    query?: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listCompletedActivities>>,
        TError,
        TData,
        QueryKey,
        ListCompletedActivitiesParams["before"]
      >
    > &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof listCompletedActivities>>,
          TError,
          Awaited<ReturnType<typeof listCompletedActivities>>,
          QueryKey
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseInfiniteQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListCompletedActivitiesInfinite<
  TData = InfiniteData<
    Awaited<ReturnType<typeof listCompletedActivities>>,
    ListCompletedActivitiesParams["before"]
  >,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: ListCompletedActivitiesParams,
  options?: {
    query?: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listCompletedActivities>>,
        TError,
        TData,
        QueryKey,
        ListCompletedActivitiesParams["before"]
      >
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseInfiniteQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List a child's completed activities, newest first
 */

export function useListCompletedActivitiesInfinite<
  TData = InfiniteData<
    Awaited<ReturnType<typeof listCompletedActivities>>,
    ListCompletedActivitiesParams["before"]
  >,
  TError = ErrorType<unknown>,
>(
  childId: number,
  params?: ListCompletedActivitiesParams,
  options?: {
    query?: Partial<
      UseInfiniteQueryOptions<
        Awaited<ReturnType<typeof listCompletedActivities>>,
        TError,
        TData,
        QueryKey,
        ListCompletedActivitiesParams["before"]
      >
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseInfiniteQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getListCompletedActivitiesInfiniteQueryOptions(childId, params, options);

  const query = useInfiniteQuery(queryOptions, queryClient) as UseInfiniteQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type listUpcomingActivitiesResponse200 = {
  data: UpcomingActivity[];
  status: 200;
};

export type listUpcomingActivitiesResponseSuccess = listUpcomingActivitiesResponse200 & {
  headers: Headers;
};
export const getListUpcomingActivitiesUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/activities/upcoming`;
};

/**
 * The assistant's proposals without feedback, in the assistant's order.
 * @summary List a child's upcoming activities
 */
export const listUpcomingActivities = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<listUpcomingActivitiesResponseSuccess> => {
  return http<listUpcomingActivitiesResponseSuccess>(getListUpcomingActivitiesUrl(childId), {
    ...options,
    method: "GET",
  });
};

export const getListUpcomingActivitiesQueryKey = (childId: number) => {
  return [`/api/child/${childId}/activities/upcoming`] as const;
};

export const getListUpcomingActivitiesQueryOptions = <
  TData = Awaited<ReturnType<typeof listUpcomingActivities>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listUpcomingActivities>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getListUpcomingActivitiesQueryKey(childId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof listUpcomingActivities>>> = ({ signal }) =>
    listUpcomingActivities(childId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof listUpcomingActivities>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type ListUpcomingActivitiesQueryResult = NonNullable<
  Awaited<ReturnType<typeof listUpcomingActivities>>
>;
export type ListUpcomingActivitiesQueryError = ErrorType<unknown>;

export function useListUpcomingActivities<
  TData = Awaited<ReturnType<typeof listUpcomingActivities>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof listUpcomingActivities>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof listUpcomingActivities>>,
          TError,
          Awaited<ReturnType<typeof listUpcomingActivities>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListUpcomingActivities<
  TData = Awaited<ReturnType<typeof listUpcomingActivities>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listUpcomingActivities>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof listUpcomingActivities>>,
          TError,
          Awaited<ReturnType<typeof listUpcomingActivities>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListUpcomingActivities<
  TData = Awaited<ReturnType<typeof listUpcomingActivities>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listUpcomingActivities>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List a child's upcoming activities
 */

export function useListUpcomingActivities<
  TData = Awaited<ReturnType<typeof listUpcomingActivities>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listUpcomingActivities>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getListUpcomingActivitiesQueryOptions(childId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type giveFeedbackResponse204 = {
  data: void;
  status: 204;
};

export type giveFeedbackResponseSuccess = giveFeedbackResponse204 & {
  headers: Headers;
};
export const getGiveFeedbackUrl = (childId: number, activityId: string) => {
  return `/api/child/${encodeURIComponent(String(childId))}/activities/upcoming/${encodeURIComponent(String(activityId))}/feedback`;
};

/**
 * Hides it, even if the assistant proposes it again. Repeated feedback replaces the earlier one, also another guardian's.
 * @summary Give feedback on an upcoming activity
 */
export const giveFeedback = async (
  childId: number,
  activityId: string,
  feedback: Feedback,
  options?: Parameters<typeof http>[1],
): Promise<giveFeedbackResponseSuccess> => {
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
  return http<giveFeedbackResponseSuccess>(getGiveFeedbackUrl(childId, activityId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(feedback),
  });
};

export const getGiveFeedbackMutationKey = () => ["giveFeedback"] as const;

export const getGiveFeedbackMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof giveFeedback>>,
    TError,
    GiveFeedbackMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof giveFeedback>>,
  TError,
  GiveFeedbackMutationVariables,
  TContext
> => {
  const mutationKey = getGiveFeedbackMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof giveFeedback>>,
    GiveFeedbackMutationVariables
  > = (props) => {
    const { childId, activityId, data } = props ?? {};

    return giveFeedback(childId, activityId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type GiveFeedbackMutationResult = NonNullable<Awaited<ReturnType<typeof giveFeedback>>>;
export type GiveFeedbackMutationBody = Feedback;
export type GiveFeedbackMutationError = ErrorType<unknown>;
export type GiveFeedbackMutationVariables = { childId: number; activityId: string; data: Feedback };

/**
 * @summary Give feedback on an upcoming activity
 */
export const useGiveFeedback = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof giveFeedback>>,
      TError,
      GiveFeedbackMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof giveFeedback>>,
  TError,
  GiveFeedbackMutationVariables,
  TContext
> => {
  return useMutation(getGiveFeedbackMutationOptions(options), queryClient);
};
export type takeBackFeedbackResponse204 = {
  data: void;
  status: 204;
};

export type takeBackFeedbackResponseSuccess = takeBackFeedbackResponse204 & {
  headers: Headers;
};
export const getTakeBackFeedbackUrl = (childId: number, activityId: string) => {
  return `/api/child/${encodeURIComponent(String(childId))}/activities/upcoming/${encodeURIComponent(String(activityId))}/feedback`;
};

/**
 * Shows the activity in its place again, unless its assistant has withdrawn it. If your feedback had replaced another
 * guardian's, theirs counts again, and the activity stays hidden. Idempotent: does nothing if none of the feedback is yours. 409
 * if another guardian's has replaced yours since.
 *
 * Feedback that was taken back isn't listed any more. An assistant that has read it isn't told.
 * @summary Take back your feedback on an upcoming activity
 */
export const takeBackFeedback = async (
  childId: number,
  activityId: string,
  options?: Parameters<typeof http>[1],
): Promise<takeBackFeedbackResponseSuccess> => {
  return http<takeBackFeedbackResponseSuccess>(getTakeBackFeedbackUrl(childId, activityId), {
    ...options,
    method: "DELETE",
  });
};

export const getTakeBackFeedbackMutationKey = () => ["takeBackFeedback"] as const;

export const getTakeBackFeedbackMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof takeBackFeedback>>,
    TError,
    TakeBackFeedbackMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof takeBackFeedback>>,
  TError,
  TakeBackFeedbackMutationVariables,
  TContext
> => {
  const mutationKey = getTakeBackFeedbackMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof takeBackFeedback>>,
    TakeBackFeedbackMutationVariables
  > = (props) => {
    const { childId, activityId } = props ?? {};

    return takeBackFeedback(childId, activityId, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type TakeBackFeedbackMutationResult = NonNullable<Awaited<ReturnType<typeof takeBackFeedback>>>;

export type TakeBackFeedbackMutationError = ErrorType<unknown>;
export type TakeBackFeedbackMutationVariables = { childId: number; activityId: string };

/**
 * @summary Take back your feedback on an upcoming activity
 */
export const useTakeBackFeedback = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof takeBackFeedback>>,
      TError,
      TakeBackFeedbackMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof takeBackFeedback>>,
  TError,
  TakeBackFeedbackMutationVariables,
  TContext
> => {
  return useMutation(getTakeBackFeedbackMutationOptions(options), queryClient);
};
