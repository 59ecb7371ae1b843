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

export type streamEventsResponse200 = {
  data: string[];
  status: 200;
};

export type streamEventsResponseSuccess = streamEventsResponse200 & {
  headers: Headers;
};
export const getStreamEventsUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/events`;
};

/**
 * Server-sent events (`text/event-stream`) that name what changed, without its content: fetch it again from its own
 * endpoint. An event is sent after the change is durable; changes in quick succession are merged. After the stream has
 * opened, fetch what you show, unless your copy is younger than `Porchlight-Unchanged-For`; after `everything`, fetch all
 * of it. A comment is sent every 15 seconds. The stream ends when the sign-in or the access to the child ends, and when
 * the server stops; it outlives the token. A guardian can have 12 open streams; further ones get 429.
 *
 * The response never ends, so "Try it out" shows nothing here. Use the command line:
 * `curl -N -H "Authorization: Bearer $(porchlight token EMAIL)" ADDRESS/api/child/1/events`
 * @summary Stream a child's changes
 */
export const streamEvents = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<streamEventsResponseSuccess> => {
  return http<streamEventsResponseSuccess>(getStreamEventsUrl(childId), {
    ...options,
    method: "GET",
  });
};

export const getStreamEventsQueryKey = (childId: number) => {
  return [`/api/child/${childId}/events`] as const;
};

export const getStreamEventsQueryOptions = <
  TData = Awaited<ReturnType<typeof streamEvents>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof streamEvents>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getStreamEventsQueryKey(childId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof streamEvents>>> = ({ signal }) =>
    streamEvents(childId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof streamEvents>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type StreamEventsQueryResult = NonNullable<Awaited<ReturnType<typeof streamEvents>>>;
export type StreamEventsQueryError = ErrorType<unknown>;

export function useStreamEvents<
  TData = Awaited<ReturnType<typeof streamEvents>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof streamEvents>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof streamEvents>>,
          TError,
          Awaited<ReturnType<typeof streamEvents>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useStreamEvents<
  TData = Awaited<ReturnType<typeof streamEvents>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof streamEvents>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof streamEvents>>,
          TError,
          Awaited<ReturnType<typeof streamEvents>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useStreamEvents<
  TData = Awaited<ReturnType<typeof streamEvents>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof streamEvents>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Stream a child's changes
 */

export function useStreamEvents<
  TData = Awaited<ReturnType<typeof streamEvents>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof streamEvents>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getStreamEventsQueryOptions(childId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}
