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

import type {
  AlertDealtWith,
  AlertPage,
  ListAlertsParams,
  NotWorrying,
  NotWorryingConcerns,
  PageConcern,
  PageUnseenAlerts,
  PhraseToTry,
  SeenAlerts,
  TriedPhrase,
  WatchedPhrase,
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

export type listAlertsResponse200 = {
  data: AlertPage;
  status: 200;
};

export type listAlertsResponseSuccess = listAlertsResponse200 & {
  headers: Headers;
};
export const getListAlertsUrl = (childId: number, params?: ListAlertsParams) => {
  const normalizedParams = new URLSearchParams();

  Object.entries(params || {}).forEach(([key, value]) => {
    if (value !== undefined) {
      normalizedParams.append(key, value === null ? "null" : String(value));
    }
  });

  const stringifiedParams = normalizedParams.toString();

  return stringifiedParams.length > 0
    ? `/api/child/${encodeURIComponent(String(childId))}/alerts?${stringifiedParams}`
    : `/api/child/${encodeURIComponent(String(childId))}/alerts`;
};

/**
 * Returns the alerts for all of the child's guardians and those for the caller alone. Alerts are kept for 400 days.
 * @summary List a child's alerts, newest first
 */
export const listAlerts = async (
  childId: number,
  params?: ListAlertsParams,
  options?: Parameters<typeof http>[1],
): Promise<listAlertsResponseSuccess> => {
  return http<listAlertsResponseSuccess>(getListAlertsUrl(childId, params), {
    ...options,
    method: "GET",
  });
};

export type countUnseenAlertsResponse200 = {
  data: PageUnseenAlerts;
  status: 200;
};

export type countUnseenAlertsResponseSuccess = countUnseenAlertsResponse200 & {
  headers: Headers;
};
export const getCountUnseenAlertsUrl = () => {
  return `/api/alerts/unseen`;
};

/**
 * Counts only `phrase`, `outside_times` and `reviewer`, without what the caller has dealt with or finds not worrying.
 * @summary Count the unseen alerts of each of the caller's children
 */
export const countUnseenAlerts = async (
  options?: Parameters<typeof http>[1],
): Promise<countUnseenAlertsResponseSuccess> => {
  return http<countUnseenAlertsResponseSuccess>(getCountUnseenAlertsUrl(), {
    ...options,
    method: "GET",
  });
};

export const getCountUnseenAlertsQueryKey = () => {
  return [`/api/alerts/unseen`] as const;
};

export const getCountUnseenAlertsQueryOptions = <
  TData = Awaited<ReturnType<typeof countUnseenAlerts>>,
  TError = ErrorType<unknown>,
>(options?: {
  query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof countUnseenAlerts>>, TError, TData>>;
  request?: SecondParameter<typeof http>;
}) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getCountUnseenAlertsQueryKey();

  const queryFn: QueryFunction<Awaited<ReturnType<typeof countUnseenAlerts>>> = ({ signal }) =>
    countUnseenAlerts({ signal, ...requestOptions });

  return { queryKey, queryFn, ...queryOptions } as UseQueryOptions<
    Awaited<ReturnType<typeof countUnseenAlerts>>,
    TError,
    TData
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type CountUnseenAlertsQueryResult = NonNullable<Awaited<ReturnType<typeof countUnseenAlerts>>>;
export type CountUnseenAlertsQueryError = ErrorType<unknown>;

export function useCountUnseenAlerts<
  TData = Awaited<ReturnType<typeof countUnseenAlerts>>,
  TError = ErrorType<unknown>,
>(
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof countUnseenAlerts>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof countUnseenAlerts>>,
          TError,
          Awaited<ReturnType<typeof countUnseenAlerts>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useCountUnseenAlerts<
  TData = Awaited<ReturnType<typeof countUnseenAlerts>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof countUnseenAlerts>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof countUnseenAlerts>>,
          TError,
          Awaited<ReturnType<typeof countUnseenAlerts>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useCountUnseenAlerts<
  TData = Awaited<ReturnType<typeof countUnseenAlerts>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof countUnseenAlerts>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Count the unseen alerts of each of the caller's children
 */

export function useCountUnseenAlerts<
  TData = Awaited<ReturnType<typeof countUnseenAlerts>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof countUnseenAlerts>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getCountUnseenAlertsQueryOptions(options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type noteAlertsSeenResponse204 = {
  data: void;
  status: 204;
};

export type noteAlertsSeenResponseSuccess = noteAlertsSeenResponse204 & {
  headers: Headers;
};
export const getNoteAlertsSeenUrl = () => {
  return `/api/alerts/seen`;
};

/**
 * Marks the caller's alerts up to this number as seen. Alerts that arrive later stay unseen.
 * @summary Record that alerts were seen
 */
export const noteAlertsSeen = async (
  seenAlerts: SeenAlerts,
  options?: Parameters<typeof http>[1],
): Promise<noteAlertsSeenResponseSuccess> => {
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
  return http<noteAlertsSeenResponseSuccess>(getNoteAlertsSeenUrl(), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(seenAlerts),
  });
};

export type setAlertNotWorryingResponse204 = {
  data: void;
  status: 204;
};

export type setAlertNotWorryingResponseSuccess = setAlertNotWorryingResponse204 & {
  headers: Headers;
};
export const getSetAlertNotWorryingUrl = (childId: number, alertId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/alerts/${encodeURIComponent(String(alertId))}/not_worrying`;
};

/**
 * For the caller alone. Such an alert stays in the list, and isn't counted.
 * @summary Say whether a reviewer's alert is not worrying
 */
export const setAlertNotWorrying = async (
  childId: number,
  alertId: number,
  notWorrying: NotWorrying,
  options?: Parameters<typeof http>[1],
): Promise<setAlertNotWorryingResponseSuccess> => {
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
  return http<setAlertNotWorryingResponseSuccess>(getSetAlertNotWorryingUrl(childId, alertId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(notWorrying),
  });
};

export type setAlertDealtWithResponse204 = {
  data: void;
  status: 204;
};

export type setAlertDealtWithResponseSuccess = setAlertDealtWithResponse204 & {
  headers: Headers;
};
export const getSetAlertDealtWithUrl = (childId: number, alertId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/alerts/${encodeURIComponent(String(alertId))}/dealt_with`;
};

/**
 * For the caller alone: no other guardian learns of it, and no time is kept. Of alerts of the kinds `phrase`,
 * `outside_times` and `reviewer`; 404 for others. Such an alert stays in the list, isn't counted, and doesn't wait in
 * `getAttention` any more. A `reviewer` alert that becomes urgent afterwards waits again.
 * @summary Say whether one has dealt with an alert
 */
export const setAlertDealtWith = async (
  childId: number,
  alertId: number,
  alertDealtWith: AlertDealtWith,
  options?: Parameters<typeof http>[1],
): Promise<setAlertDealtWithResponseSuccess> => {
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
  return http<setAlertDealtWithResponseSuccess>(getSetAlertDealtWithUrl(childId, alertId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(alertDealtWith),
  });
};

export type listNotWorryingResponse200 = {
  data: PageConcern;
  status: 200;
};

export type listNotWorryingResponseSuccess = listNotWorryingResponse200 & {
  headers: Headers;
};
export const getListNotWorryingUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/not_worrying`;
};

/**
 * Of a reviewer's alerts about this child. Private to the caller.
 * @summary List the concerns that the caller finds not worrying
 */
export const listNotWorrying = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<listNotWorryingResponseSuccess> => {
  return http<listNotWorryingResponseSuccess>(getListNotWorryingUrl(childId), {
    ...options,
    method: "GET",
  });
};

export const getListNotWorryingQueryKey = (childId: number) => {
  return [`/api/child/${childId}/not_worrying`] as const;
};

export const getListNotWorryingQueryOptions = <
  TData = Awaited<ReturnType<typeof listNotWorrying>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listNotWorrying>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getListNotWorryingQueryKey(childId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof listNotWorrying>>> = ({ signal }) =>
    listNotWorrying(childId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof listNotWorrying>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type ListNotWorryingQueryResult = NonNullable<Awaited<ReturnType<typeof listNotWorrying>>>;
export type ListNotWorryingQueryError = ErrorType<unknown>;

export function useListNotWorrying<
  TData = Awaited<ReturnType<typeof listNotWorrying>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof listNotWorrying>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof listNotWorrying>>,
          TError,
          Awaited<ReturnType<typeof listNotWorrying>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListNotWorrying<
  TData = Awaited<ReturnType<typeof listNotWorrying>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listNotWorrying>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof listNotWorrying>>,
          TError,
          Awaited<ReturnType<typeof listNotWorrying>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListNotWorrying<
  TData = Awaited<ReturnType<typeof listNotWorrying>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listNotWorrying>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List the concerns that the caller finds not worrying
 */

export function useListNotWorrying<
  TData = Awaited<ReturnType<typeof listNotWorrying>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listNotWorrying>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getListNotWorryingQueryOptions(childId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type replaceNotWorryingResponse204 = {
  data: void;
  status: 204;
};

export type replaceNotWorryingResponseSuccess = replaceNotWorryingResponse204 & {
  headers: Headers;
};
export const getReplaceNotWorryingUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/not_worrying`;
};

/**
 * The whole list. Alerts about these concerns, earlier and later ones, stay in the list and aren't counted. `self_harm`,
 * `hurt`, `hurt_at_home`, `sexual_content` and `stranger` are refused (422): only single alerts about them can be not
 * worrying.
 * @summary Replace the concerns that the caller finds not worrying
 */
export const replaceNotWorrying = async (
  childId: number,
  notWorryingConcerns: NotWorryingConcerns,
  options?: Parameters<typeof http>[1],
): Promise<replaceNotWorryingResponseSuccess> => {
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
  return http<replaceNotWorryingResponseSuccess>(getReplaceNotWorryingUrl(childId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(notWorryingConcerns),
  });
};

export type listWatchedPhrasesResponse200 = {
  data: WatchedPhrase[];
  status: 200;
};

export type listWatchedPhrasesResponseSuccess = listWatchedPhrasesResponse200 & {
  headers: Headers;
};
export const getListWatchedPhrasesUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/watched_phrases`;
};

/**
 * Private to the caller: other guardians of the child never see them.
 * @summary List the phrases that the caller watches for
 */
export const listWatchedPhrases = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<listWatchedPhrasesResponseSuccess> => {
  return http<listWatchedPhrasesResponseSuccess>(getListWatchedPhrasesUrl(childId), {
    ...options,
    method: "GET",
  });
};

export const getListWatchedPhrasesQueryKey = (childId: number) => {
  return [`/api/child/${childId}/watched_phrases`] as const;
};

export const getListWatchedPhrasesQueryOptions = <
  TData = Awaited<ReturnType<typeof listWatchedPhrases>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listWatchedPhrases>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getListWatchedPhrasesQueryKey(childId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof listWatchedPhrases>>> = ({ signal }) =>
    listWatchedPhrases(childId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof listWatchedPhrases>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type ListWatchedPhrasesQueryResult = NonNullable<Awaited<ReturnType<typeof listWatchedPhrases>>>;
export type ListWatchedPhrasesQueryError = ErrorType<unknown>;

export function useListWatchedPhrases<
  TData = Awaited<ReturnType<typeof listWatchedPhrases>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof listWatchedPhrases>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof listWatchedPhrases>>,
          TError,
          Awaited<ReturnType<typeof listWatchedPhrases>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListWatchedPhrases<
  TData = Awaited<ReturnType<typeof listWatchedPhrases>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listWatchedPhrases>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof listWatchedPhrases>>,
          TError,
          Awaited<ReturnType<typeof listWatchedPhrases>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListWatchedPhrases<
  TData = Awaited<ReturnType<typeof listWatchedPhrases>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listWatchedPhrases>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List the phrases that the caller watches for
 */

export function useListWatchedPhrases<
  TData = Awaited<ReturnType<typeof listWatchedPhrases>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listWatchedPhrases>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getListWatchedPhrasesQueryOptions(childId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type replaceWatchedPhrasesResponse200 = {
  data: WatchedPhrase[];
  status: 200;
};

export type replaceWatchedPhrasesResponseSuccess = replaceWatchedPhrasesResponse200 & {
  headers: Headers;
};
export const getReplaceWatchedPhrasesUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/watched_phrases`;
};

/**
 * The whole list. Words are trimmed; repeats that match the same are dropped. If a phrase can't be watched, nothing is
 * changed.
 * @summary Replace the phrases that the caller watches for
 */
export const replaceWatchedPhrases = async (
  childId: number,
  watchedPhrase: WatchedPhrase[],
  options?: Parameters<typeof http>[1],
): Promise<replaceWatchedPhrasesResponseSuccess> => {
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
  return http<replaceWatchedPhrasesResponseSuccess>(getReplaceWatchedPhrasesUrl(childId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(watchedPhrase),
  });
};

export type tryWatchedPhraseResponse200 = {
  data: TriedPhrase;
  status: 200;
};

export type tryWatchedPhraseResponseSuccess = tryWatchedPhraseResponse200 & {
  headers: Headers;
};
export const getTryWatchedPhraseUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/watched_phrases/try`;
};

/**
 * Reads for a short time and returns what was found by then. Nothing is stored.
 * @summary Try a phrase on the last 90 days
 */
export const tryWatchedPhrase = async (
  childId: number,
  phraseToTry: PhraseToTry,
  options?: Parameters<typeof http>[1],
): Promise<tryWatchedPhraseResponseSuccess> => {
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
  return http<tryWatchedPhraseResponseSuccess>(getTryWatchedPhraseUrl(childId), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(phraseToTry),
  });
};
