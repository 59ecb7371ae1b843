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

import type { NamedReviewer, Reviewer, ReviewerAtHome } from "../porchlight.schemas.ts";

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

export type getReviewerResponse200 = {
  data: Reviewer;
  status: 200;
};

export type getReviewerResponseSuccess = getReviewerResponse200 & {
  headers: Headers;
};
export const getGetReviewerUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/reviewer`;
};

/**
 * A model that the administrator named, which points at messages in conversations that have ended. It can be wrong.
 * @summary Get the reviewer of a child's conversations
 */
export const getReviewer = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<getReviewerResponseSuccess> => {
  return http<getReviewerResponseSuccess>(getGetReviewerUrl(childId), {
    ...options,
    method: "GET",
  });
};

export const getGetReviewerQueryKey = (childId: number) => {
  return [`/api/child/${childId}/reviewer`] as const;
};

export const getGetReviewerQueryOptions = <
  TData = Awaited<ReturnType<typeof getReviewer>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getReviewer>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetReviewerQueryKey(childId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getReviewer>>> = ({ signal }) =>
    getReviewer(childId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof getReviewer>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type GetReviewerQueryResult = NonNullable<Awaited<ReturnType<typeof getReviewer>>>;
export type GetReviewerQueryError = ErrorType<unknown>;

export function useGetReviewer<TData = Awaited<ReturnType<typeof getReviewer>>, TError = ErrorType<unknown>>(
  childId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getReviewer>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getReviewer>>,
          TError,
          Awaited<ReturnType<typeof getReviewer>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetReviewer<TData = Awaited<ReturnType<typeof getReviewer>>, TError = ErrorType<unknown>>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getReviewer>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getReviewer>>,
          TError,
          Awaited<ReturnType<typeof getReviewer>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetReviewer<TData = Awaited<ReturnType<typeof getReviewer>>, TError = ErrorType<unknown>>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getReviewer>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get the reviewer of a child's conversations
 */

export function useGetReviewer<TData = Awaited<ReturnType<typeof getReviewer>>, TError = ErrorType<unknown>>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getReviewer>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetReviewerQueryOptions(childId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type switchReviewerOnResponse204 = {
  data: void;
  status: 204;
};

export type switchReviewerOnResponseSuccess = switchReviewerOnResponse204 & {
  headers: Headers;
};
export const getSwitchReviewerOnUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/reviewer`;
};

/**
 * Requires stepping up (403 otherwise). `model` and `host` are those that the caller has read about; 409 if they are others
 * by now, or the model was not tested or is `unfit`. If the host isn't private, it begins once every other guardian has
 * confirmed it, or seven days after it was shown to each of them. It ends when the model, its host or its address changes.
 * @summary Switch the reviewer on
 */
export const switchReviewerOn = async (
  childId: number,
  namedReviewer: NamedReviewer,
  options?: Parameters<typeof http>[1],
): Promise<switchReviewerOnResponseSuccess> => {
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
  return http<switchReviewerOnResponseSuccess>(getSwitchReviewerOnUrl(childId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(namedReviewer),
  });
};

export const getSwitchReviewerOnMutationKey = () => ["switchReviewerOn"] as const;

export const getSwitchReviewerOnMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof switchReviewerOn>>,
    TError,
    SwitchReviewerOnMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof switchReviewerOn>>,
  TError,
  SwitchReviewerOnMutationVariables,
  TContext
> => {
  const mutationKey = getSwitchReviewerOnMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof switchReviewerOn>>,
    SwitchReviewerOnMutationVariables
  > = (props) => {
    const { childId, data } = props ?? {};

    return switchReviewerOn(childId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type SwitchReviewerOnMutationResult = NonNullable<Awaited<ReturnType<typeof switchReviewerOn>>>;
export type SwitchReviewerOnMutationBody = NamedReviewer;
export type SwitchReviewerOnMutationError = ErrorType<unknown>;
export type SwitchReviewerOnMutationVariables = { childId: number; data: NamedReviewer };

/**
 * @summary Switch the reviewer on
 */
export const useSwitchReviewerOn = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof switchReviewerOn>>,
      TError,
      SwitchReviewerOnMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof switchReviewerOn>>,
  TError,
  SwitchReviewerOnMutationVariables,
  TContext
> => {
  return useMutation(getSwitchReviewerOnMutationOptions(options), queryClient);
};
export type switchReviewerOffResponse204 = {
  data: void;
  status: 204;
};

export type switchReviewerOffResponseSuccess = switchReviewerOffResponse204 & {
  headers: Headers;
};
export const getSwitchReviewerOffUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/reviewer`;
};

/**
 * Also if another guardian switched it on. What waits for a review is not sent any more, and counts as not reviewed.
 * @summary Switch the reviewer off
 */
export const switchReviewerOff = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<switchReviewerOffResponseSuccess> => {
  return http<switchReviewerOffResponseSuccess>(getSwitchReviewerOffUrl(childId), {
    ...options,
    method: "DELETE",
  });
};

export const getSwitchReviewerOffMutationKey = () => ["switchReviewerOff"] as const;

export const getSwitchReviewerOffMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof switchReviewerOff>>,
    TError,
    SwitchReviewerOffMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof switchReviewerOff>>,
  TError,
  SwitchReviewerOffMutationVariables,
  TContext
> => {
  const mutationKey = getSwitchReviewerOffMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof switchReviewerOff>>,
    SwitchReviewerOffMutationVariables
  > = (props) => {
    const { childId } = props ?? {};

    return switchReviewerOff(childId, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type SwitchReviewerOffMutationResult = NonNullable<Awaited<ReturnType<typeof switchReviewerOff>>>;

export type SwitchReviewerOffMutationError = ErrorType<unknown>;
export type SwitchReviewerOffMutationVariables = { childId: number };

/**
 * @summary Switch the reviewer off
 */
export const useSwitchReviewerOff = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof switchReviewerOff>>,
      TError,
      SwitchReviewerOffMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof switchReviewerOff>>,
  TError,
  SwitchReviewerOffMutationVariables,
  TContext
> => {
  return useMutation(getSwitchReviewerOffMutationOptions(options), queryClient);
};
export type confirmReviewerResponse204 = {
  data: void;
  status: 204;
};

export type confirmReviewerResponseSuccess = confirmReviewerResponse204 & {
  headers: Headers;
};
export const getConfirmReviewerUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/reviewer/confirmation`;
};

/**
 * Requires stepping up (403 otherwise). 409 if the model or the host are others than the caller has read about, or the model
 * is `unfit`.
 * @summary Confirm the reviewer that another guardian switched on
 */
export const confirmReviewer = async (
  childId: number,
  namedReviewer: NamedReviewer,
  options?: Parameters<typeof http>[1],
): Promise<confirmReviewerResponseSuccess> => {
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
  return http<confirmReviewerResponseSuccess>(getConfirmReviewerUrl(childId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(namedReviewer),
  });
};

export const getConfirmReviewerMutationKey = () => ["confirmReviewer"] as const;

export const getConfirmReviewerMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof confirmReviewer>>,
    TError,
    ConfirmReviewerMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof confirmReviewer>>,
  TError,
  ConfirmReviewerMutationVariables,
  TContext
> => {
  const mutationKey = getConfirmReviewerMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof confirmReviewer>>,
    ConfirmReviewerMutationVariables
  > = (props) => {
    const { childId, data } = props ?? {};

    return confirmReviewer(childId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type ConfirmReviewerMutationResult = NonNullable<Awaited<ReturnType<typeof confirmReviewer>>>;
export type ConfirmReviewerMutationBody = NamedReviewer;
export type ConfirmReviewerMutationError = ErrorType<unknown>;
export type ConfirmReviewerMutationVariables = { childId: number; data: NamedReviewer };

/**
 * @summary Confirm the reviewer that another guardian switched on
 */
export const useConfirmReviewer = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof confirmReviewer>>,
      TError,
      ConfirmReviewerMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof confirmReviewer>>,
  TError,
  ConfirmReviewerMutationVariables,
  TContext
> => {
  return useMutation(getConfirmReviewerMutationOptions(options), queryClient);
};
export type noteReviewerShownResponse204 = {
  data: void;
  status: 204;
};

export type noteReviewerShownResponseSuccess = noteReviewerShownResponse204 & {
  headers: Headers;
};
export const getNoteReviewerShownUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/reviewer/shown`;
};

/**
 * Does nothing if the model or the host are others by now.
 * @summary Record that the caller was shown the reviewer that waits
 */
export const noteReviewerShown = async (
  childId: number,
  namedReviewer: NamedReviewer,
  options?: Parameters<typeof http>[1],
): Promise<noteReviewerShownResponseSuccess> => {
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
  return http<noteReviewerShownResponseSuccess>(getNoteReviewerShownUrl(childId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(namedReviewer),
  });
};

export const getNoteReviewerShownMutationKey = () => ["noteReviewerShown"] as const;

export const getNoteReviewerShownMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof noteReviewerShown>>,
    TError,
    NoteReviewerShownMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof noteReviewerShown>>,
  TError,
  NoteReviewerShownMutationVariables,
  TContext
> => {
  const mutationKey = getNoteReviewerShownMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof noteReviewerShown>>,
    NoteReviewerShownMutationVariables
  > = (props) => {
    const { childId, data } = props ?? {};

    return noteReviewerShown(childId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type NoteReviewerShownMutationResult = NonNullable<Awaited<ReturnType<typeof noteReviewerShown>>>;
export type NoteReviewerShownMutationBody = NamedReviewer;
export type NoteReviewerShownMutationError = ErrorType<unknown>;
export type NoteReviewerShownMutationVariables = { childId: number; data: NamedReviewer };

/**
 * @summary Record that the caller was shown the reviewer that waits
 */
export const useNoteReviewerShown = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof noteReviewerShown>>,
      TError,
      NoteReviewerShownMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof noteReviewerShown>>,
  TError,
  NoteReviewerShownMutationVariables,
  TContext
> => {
  return useMutation(getNoteReviewerShownMutationOptions(options), queryClient);
};
export type switchReviewerAtHomeResponse204 = {
  data: void;
  status: 204;
};

export type switchReviewerAtHomeResponseSuccess = switchReviewerAtHomeResponse204 & {
  headers: Headers;
};
export const getSwitchReviewerAtHomeUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/reviewer/at_home`;
};

/**
 * For all of the child's guardians, including the one that such an alert is about. Requires stepping up to begin (403
 * otherwise).
 * @summary Decide whether the guardians get alerts if the child is hurt at home
 */
export const switchReviewerAtHome = async (
  childId: number,
  reviewerAtHome: ReviewerAtHome,
  options?: Parameters<typeof http>[1],
): Promise<switchReviewerAtHomeResponseSuccess> => {
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
  return http<switchReviewerAtHomeResponseSuccess>(getSwitchReviewerAtHomeUrl(childId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(reviewerAtHome),
  });
};

export const getSwitchReviewerAtHomeMutationKey = () => ["switchReviewerAtHome"] as const;

export const getSwitchReviewerAtHomeMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof switchReviewerAtHome>>,
    TError,
    SwitchReviewerAtHomeMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof switchReviewerAtHome>>,
  TError,
  SwitchReviewerAtHomeMutationVariables,
  TContext
> => {
  const mutationKey = getSwitchReviewerAtHomeMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof switchReviewerAtHome>>,
    SwitchReviewerAtHomeMutationVariables
  > = (props) => {
    const { childId, data } = props ?? {};

    return switchReviewerAtHome(childId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type SwitchReviewerAtHomeMutationResult = NonNullable<
  Awaited<ReturnType<typeof switchReviewerAtHome>>
>;
export type SwitchReviewerAtHomeMutationBody = ReviewerAtHome;
export type SwitchReviewerAtHomeMutationError = ErrorType<unknown>;
export type SwitchReviewerAtHomeMutationVariables = { childId: number; data: ReviewerAtHome };

/**
 * @summary Decide whether the guardians get alerts if the child is hurt at home
 */
export const useSwitchReviewerAtHome = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof switchReviewerAtHome>>,
      TError,
      SwitchReviewerAtHomeMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof switchReviewerAtHome>>,
  TError,
  SwitchReviewerAtHomeMutationVariables,
  TContext
> => {
  return useMutation(getSwitchReviewerAtHomeMutationOptions(options), queryClient);
};
