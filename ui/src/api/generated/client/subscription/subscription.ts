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
  MessageTest,
  MessageTested,
  NotificationTopic,
  PushSubscription,
  PushSubscriptionStatus,
  Subscription,
  SubscriptionArrivals,
  SubscriptionSettings,
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

export type getSubscriptionResponse200 = {
  data: Subscription;
  status: 200;
};

export type getSubscriptionResponseSuccess = getSubscriptionResponse200 & {
  headers: Headers;
};
export const getGetSubscriptionUrl = () => {
  return `/api/subscription`;
};

/**
 * Everything is off until the caller chooses something.
 * @summary Get what the caller is notified of, and when
 */
export const getSubscription = async (
  options?: Parameters<typeof http>[1],
): Promise<getSubscriptionResponseSuccess> => {
  return http<getSubscriptionResponseSuccess>(getGetSubscriptionUrl(), {
    ...options,
    method: "GET",
  });
};

export const getGetSubscriptionQueryKey = () => {
  return [`/api/subscription`] as const;
};

export const getGetSubscriptionQueryOptions = <
  TData = Awaited<ReturnType<typeof getSubscription>>,
  TError = ErrorType<unknown>,
>(options?: {
  query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSubscription>>, TError, TData>>;
  request?: SecondParameter<typeof http>;
}) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetSubscriptionQueryKey();

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getSubscription>>> = ({ signal }) =>
    getSubscription({ signal, ...requestOptions });

  return { queryKey, queryFn, ...queryOptions } as UseQueryOptions<
    Awaited<ReturnType<typeof getSubscription>>,
    TError,
    TData
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type GetSubscriptionQueryResult = NonNullable<Awaited<ReturnType<typeof getSubscription>>>;
export type GetSubscriptionQueryError = ErrorType<unknown>;

export function useGetSubscription<
  TData = Awaited<ReturnType<typeof getSubscription>>,
  TError = ErrorType<unknown>,
>(
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSubscription>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getSubscription>>,
          TError,
          Awaited<ReturnType<typeof getSubscription>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetSubscription<
  TData = Awaited<ReturnType<typeof getSubscription>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSubscription>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getSubscription>>,
          TError,
          Awaited<ReturnType<typeof getSubscription>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetSubscription<
  TData = Awaited<ReturnType<typeof getSubscription>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSubscription>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get what the caller is notified of, and when
 */

export function useGetSubscription<
  TData = Awaited<ReturnType<typeof getSubscription>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSubscription>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetSubscriptionQueryOptions(options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type replaceSubscriptionResponse200 = {
  data: Subscription;
  status: 200;
};

export type replaceSubscriptionResponseSuccess = replaceSubscriptionResponse200 & {
  headers: Headers;
};
export const getReplaceSubscriptionUrl = () => {
  return `/api/subscription`;
};

/**
 * Replaces all settings. Requires stepping up to switch `quotes` on (403 otherwise); the guardian is e-mailed of it. 404 if a
 * chosen child isn't the caller's.
 * @summary Choose what the caller is notified of, and when
 */
export const replaceSubscription = async (
  subscriptionSettings: SubscriptionSettings,
  options?: Parameters<typeof http>[1],
): Promise<replaceSubscriptionResponseSuccess> => {
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
  return http<replaceSubscriptionResponseSuccess>(getReplaceSubscriptionUrl(), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(subscriptionSettings),
  });
};

export type getArrivalsResponse200 = {
  data: SubscriptionArrivals;
  status: 200;
};

export type getArrivalsResponseSuccess = getArrivalsResponse200 & {
  headers: Headers;
};
export const getGetArrivalsUrl = () => {
  return `/api/subscription/arrivals`;
};

/**
 * @summary Get whether the caller's messages arrive
 */
export const getArrivals = async (
  options?: Parameters<typeof http>[1],
): Promise<getArrivalsResponseSuccess> => {
  return http<getArrivalsResponseSuccess>(getGetArrivalsUrl(), {
    ...options,
    method: "GET",
  });
};

export const getGetArrivalsQueryKey = () => {
  return [`/api/subscription/arrivals`] as const;
};

export const getGetArrivalsQueryOptions = <
  TData = Awaited<ReturnType<typeof getArrivals>>,
  TError = ErrorType<unknown>,
>(options?: {
  query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getArrivals>>, TError, TData>>;
  request?: SecondParameter<typeof http>;
}) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetArrivalsQueryKey();

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getArrivals>>> = ({ signal }) =>
    getArrivals({ signal, ...requestOptions });

  return { queryKey, queryFn, ...queryOptions } as UseQueryOptions<
    Awaited<ReturnType<typeof getArrivals>>,
    TError,
    TData
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type GetArrivalsQueryResult = NonNullable<Awaited<ReturnType<typeof getArrivals>>>;
export type GetArrivalsQueryError = ErrorType<unknown>;

export function useGetArrivals<TData = Awaited<ReturnType<typeof getArrivals>>, TError = ErrorType<unknown>>(
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getArrivals>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getArrivals>>,
          TError,
          Awaited<ReturnType<typeof getArrivals>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetArrivals<TData = Awaited<ReturnType<typeof getArrivals>>, TError = ErrorType<unknown>>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getArrivals>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getArrivals>>,
          TError,
          Awaited<ReturnType<typeof getArrivals>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetArrivals<TData = Awaited<ReturnType<typeof getArrivals>>, TError = ErrorType<unknown>>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getArrivals>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get whether the caller's messages arrive
 */

export function useGetArrivals<TData = Awaited<ReturnType<typeof getArrivals>>, TError = ErrorType<unknown>>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getArrivals>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetArrivalsQueryOptions(options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type sendTestResponse200 = {
  data: MessageTested;
  status: 200;
};

export type sendTestResponseSuccess = sendTestResponse200 & {
  headers: Headers;
};
export const getSendTestUrl = () => {
  return `/api/subscription/tests`;
};

/**
 * Waits for the server's answer. At most five at once, and then one every two minutes.
 * @summary Send the caller a test
 */
export const sendTest = async (
  messageTest: MessageTest,
  options?: Parameters<typeof http>[1],
): Promise<sendTestResponseSuccess> => {
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
  return http<sendTestResponseSuccess>(getSendTestUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(messageTest),
  });
};

export const getSendTestMutationKey = () => ["sendTest"] as const;

export const getSendTestMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof sendTest>>,
    TError,
    SendTestMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<Awaited<ReturnType<typeof sendTest>>, TError, SendTestMutationVariables, TContext> => {
  const mutationKey = getSendTestMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<Awaited<ReturnType<typeof sendTest>>, SendTestMutationVariables> = (
    props,
  ) => {
    const { data } = props ?? {};

    return sendTest(data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type SendTestMutationResult = NonNullable<Awaited<ReturnType<typeof sendTest>>>;
export type SendTestMutationBody = MessageTest;
export type SendTestMutationError = ErrorType<unknown>;
export type SendTestMutationVariables = { data: MessageTest };

/**
 * @summary Send the caller a test
 */
export const useSendTest = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof sendTest>>,
      TError,
      SendTestMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<Awaited<ReturnType<typeof sendTest>>, TError, SendTestMutationVariables, TContext> => {
  return useMutation(getSendTestMutationOptions(options), queryClient);
};
export type switchNotificationsOnResponse201 = {
  data: NotificationTopic;
  status: 201;
};

export type switchNotificationsOnResponseSuccess = switchNotificationsOnResponse201 & {
  headers: Headers;
};
export const getSwitchNotificationsOnUrl = () => {
  return `/api/subscription/notifications`;
};

/**
 * Requires stepping up (403 otherwise). Makes a new topic, which ends a former one, and sends a test to it. The guardian is
 * e-mailed of it. 409 if the administrator has named no ntfy server.
 * @summary Switch the caller's notifications on
 */
export const switchNotificationsOn = async (
  options?: Parameters<typeof http>[1],
): Promise<switchNotificationsOnResponseSuccess> => {
  return http<switchNotificationsOnResponseSuccess>(getSwitchNotificationsOnUrl(), {
    ...options,
    method: "POST",
  });
};

export const getSwitchNotificationsOnMutationKey = () => ["switchNotificationsOn"] as const;

export const getSwitchNotificationsOnMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<Awaited<ReturnType<typeof switchNotificationsOn>>, TError, void, TContext>;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<Awaited<ReturnType<typeof switchNotificationsOn>>, TError, void, TContext> => {
  const mutationKey = getSwitchNotificationsOnMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<Awaited<ReturnType<typeof switchNotificationsOn>>, void> = () => {
    return switchNotificationsOn(requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type SwitchNotificationsOnMutationResult = NonNullable<
  Awaited<ReturnType<typeof switchNotificationsOn>>
>;

export type SwitchNotificationsOnMutationError = ErrorType<unknown>;

/**
 * @summary Switch the caller's notifications on
 */
export const useSwitchNotificationsOn = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<Awaited<ReturnType<typeof switchNotificationsOn>>, TError, void, TContext>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<Awaited<ReturnType<typeof switchNotificationsOn>>, TError, void, TContext> => {
  return useMutation(getSwitchNotificationsOnMutationOptions(options), queryClient);
};
export type switchNotificationsOffResponse204 = {
  data: void;
  status: 204;
};

export type switchNotificationsOffResponseSuccess = switchNotificationsOffResponse204 & {
  headers: Headers;
};
export const getSwitchNotificationsOffUrl = () => {
  return `/api/subscription/notifications`;
};

/**
 * Ends the topic, and drops what waits to be sent to it.
 * @summary Switch the caller's notifications off
 */
export const switchNotificationsOff = async (
  options?: Parameters<typeof http>[1],
): Promise<switchNotificationsOffResponseSuccess> => {
  return http<switchNotificationsOffResponseSuccess>(getSwitchNotificationsOffUrl(), {
    ...options,
    method: "DELETE",
  });
};

export const getSwitchNotificationsOffMutationKey = () => ["switchNotificationsOff"] as const;

export const getSwitchNotificationsOffMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<Awaited<ReturnType<typeof switchNotificationsOff>>, TError, void, TContext>;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<Awaited<ReturnType<typeof switchNotificationsOff>>, TError, void, TContext> => {
  const mutationKey = getSwitchNotificationsOffMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<Awaited<ReturnType<typeof switchNotificationsOff>>, void> = () => {
    return switchNotificationsOff(requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type SwitchNotificationsOffMutationResult = NonNullable<
  Awaited<ReturnType<typeof switchNotificationsOff>>
>;

export type SwitchNotificationsOffMutationError = ErrorType<unknown>;

/**
 * @summary Switch the caller's notifications off
 */
export const useSwitchNotificationsOff = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<Awaited<ReturnType<typeof switchNotificationsOff>>, TError, void, TContext>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<Awaited<ReturnType<typeof switchNotificationsOff>>, TError, void, TContext> => {
  return useMutation(getSwitchNotificationsOffMutationOptions(options), queryClient);
};
export type getPushSubscriptionResponse200 = {
  data: PushSubscriptionStatus;
  status: 200;
};

export type getPushSubscriptionResponseSuccess = getPushSubscriptionResponse200 & {
  headers: Headers;
};
export const getGetPushSubscriptionUrl = () => {
  return `/api/subscription/push`;
};

/**
 * @summary Get whether the caller's device is notified
 */
export const getPushSubscription = async (
  options?: Parameters<typeof http>[1],
): Promise<getPushSubscriptionResponseSuccess> => {
  return http<getPushSubscriptionResponseSuccess>(getGetPushSubscriptionUrl(), {
    ...options,
    method: "GET",
  });
};

export const getGetPushSubscriptionQueryKey = () => {
  return [`/api/subscription/push`] as const;
};

export const getGetPushSubscriptionQueryOptions = <
  TData = Awaited<ReturnType<typeof getPushSubscription>>,
  TError = ErrorType<unknown>,
>(options?: {
  query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getPushSubscription>>, TError, TData>>;
  request?: SecondParameter<typeof http>;
}) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetPushSubscriptionQueryKey();

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getPushSubscription>>> = ({ signal }) =>
    getPushSubscription({ signal, ...requestOptions });

  return { queryKey, queryFn, ...queryOptions } as UseQueryOptions<
    Awaited<ReturnType<typeof getPushSubscription>>,
    TError,
    TData
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type GetPushSubscriptionQueryResult = NonNullable<Awaited<ReturnType<typeof getPushSubscription>>>;
export type GetPushSubscriptionQueryError = ErrorType<unknown>;

export function useGetPushSubscription<
  TData = Awaited<ReturnType<typeof getPushSubscription>>,
  TError = ErrorType<unknown>,
>(
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getPushSubscription>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getPushSubscription>>,
          TError,
          Awaited<ReturnType<typeof getPushSubscription>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetPushSubscription<
  TData = Awaited<ReturnType<typeof getPushSubscription>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getPushSubscription>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getPushSubscription>>,
          TError,
          Awaited<ReturnType<typeof getPushSubscription>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetPushSubscription<
  TData = Awaited<ReturnType<typeof getPushSubscription>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getPushSubscription>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get whether the caller's device is notified
 */

export function useGetPushSubscription<
  TData = Awaited<ReturnType<typeof getPushSubscription>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getPushSubscription>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetPushSubscriptionQueryOptions(options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type replacePushSubscriptionResponse204 = {
  data: void;
  status: 204;
};

export type replacePushSubscriptionResponseSuccess = replacePushSubscriptionResponse204 & {
  headers: Headers;
};
export const getReplacePushSubscriptionUrl = () => {
  return `/api/subscription/push`;
};

/**
 * Requires stepping up (403 otherwise). The guardian is e-mailed of it. Ends with the caller's sign-in. A further one than
 * ten ends the oldest. 409 if the server has no https or another key by now, 422 if it doesn't know the push service.
 * @summary Notify the caller's device
 */
export const replacePushSubscription = async (
  pushSubscription: PushSubscription,
  options?: Parameters<typeof http>[1],
): Promise<replacePushSubscriptionResponseSuccess> => {
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
  return http<replacePushSubscriptionResponseSuccess>(getReplacePushSubscriptionUrl(), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(pushSubscription),
  });
};

export type deletePushSubscriptionResponse204 = {
  data: void;
  status: 204;
};

export type deletePushSubscriptionResponseSuccess = deletePushSubscriptionResponse204 & {
  headers: Headers;
};
export const getDeletePushSubscriptionUrl = () => {
  return `/api/subscription/push`;
};

/**
 * It also ends what is said of a device that can no longer be notified: `ended_since`.
 * @summary Stop notifying the caller's device
 */
export const deletePushSubscription = async (
  options?: Parameters<typeof http>[1],
): Promise<deletePushSubscriptionResponseSuccess> => {
  return http<deletePushSubscriptionResponseSuccess>(getDeletePushSubscriptionUrl(), {
    ...options,
    method: "DELETE",
  });
};

export const getDeletePushSubscriptionMutationKey = () => ["deletePushSubscription"] as const;

export const getDeletePushSubscriptionMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<Awaited<ReturnType<typeof deletePushSubscription>>, TError, void, TContext>;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<Awaited<ReturnType<typeof deletePushSubscription>>, TError, void, TContext> => {
  const mutationKey = getDeletePushSubscriptionMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<Awaited<ReturnType<typeof deletePushSubscription>>, void> = () => {
    return deletePushSubscription(requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type DeletePushSubscriptionMutationResult = NonNullable<
  Awaited<ReturnType<typeof deletePushSubscription>>
>;

export type DeletePushSubscriptionMutationError = ErrorType<unknown>;

/**
 * @summary Stop notifying the caller's device
 */
export const useDeletePushSubscription = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<Awaited<ReturnType<typeof deletePushSubscription>>, TError, void, TContext>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<Awaited<ReturnType<typeof deletePushSubscription>>, TError, void, TContext> => {
  return useMutation(getDeletePushSubscriptionMutationOptions(options), queryClient);
};
