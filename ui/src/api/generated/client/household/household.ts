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
  AcceptRequest,
  AddChildRequest,
  Child,
  ChooseRetentionRequest,
  ChooseUpstreamRequest,
  ConnectRequest,
  ConnectedAssistant,
  CreatedInvitation,
  Household,
  InvitationToken,
  InviteRequest,
  IssuedIdentity,
  NameRequest,
  OpenedInvitation,
  OwnAssistant,
  PageConnection,
  Requests,
  Retention,
  ShownRequests,
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

export type addChildResponse201 = {
  data: Child;
  status: 201;
};

export type addChildResponseSuccess = addChildResponse201 & {
  headers: Headers;
};
export const getAddChildUrl = () => {
  return `/api/children`;
};

/**
 * At most twenty a day.
 * @summary Add a child
 */
export const addChild = async (
  addChildRequest: AddChildRequest,
  options?: Parameters<typeof http>[1],
): Promise<addChildResponseSuccess> => {
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
  return http<addChildResponseSuccess>(getAddChildUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(addChildRequest),
  });
};

export const getAddChildMutationKey = () => ["addChild"] as const;

export const getAddChildMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof addChild>>,
    TError,
    AddChildMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<Awaited<ReturnType<typeof addChild>>, TError, AddChildMutationVariables, TContext> => {
  const mutationKey = getAddChildMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<Awaited<ReturnType<typeof addChild>>, AddChildMutationVariables> = (
    props,
  ) => {
    const { data } = props ?? {};

    return addChild(data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type AddChildMutationResult = NonNullable<Awaited<ReturnType<typeof addChild>>>;
export type AddChildMutationBody = AddChildRequest;
export type AddChildMutationError = ErrorType<unknown>;
export type AddChildMutationVariables = { data: AddChildRequest };

/**
 * @summary Add a child
 */
export const useAddChild = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof addChild>>,
      TError,
      AddChildMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<Awaited<ReturnType<typeof addChild>>, TError, AddChildMutationVariables, TContext> => {
  return useMutation(getAddChildMutationOptions(options), queryClient);
};
export type getHouseholdResponse200 = {
  data: Household;
  status: 200;
};

export type getHouseholdResponseSuccess = getHouseholdResponse200 & {
  headers: Headers;
};
export const getGetHouseholdUrl = () => {
  return `/api/household`;
};

/**
 * @summary List the assistants that talk with one's children
 */
export const getHousehold = async (
  options?: Parameters<typeof http>[1],
): Promise<getHouseholdResponseSuccess> => {
  return http<getHouseholdResponseSuccess>(getGetHouseholdUrl(), {
    ...options,
    method: "GET",
  });
};

export const getGetHouseholdQueryKey = () => {
  return [`/api/household`] as const;
};

export const getGetHouseholdQueryOptions = <
  TData = Awaited<ReturnType<typeof getHousehold>>,
  TError = ErrorType<unknown>,
>(options?: {
  query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getHousehold>>, TError, TData>>;
  request?: SecondParameter<typeof http>;
}) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetHouseholdQueryKey();

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getHousehold>>> = ({ signal }) =>
    getHousehold({ signal, ...requestOptions });

  return { queryKey, queryFn, ...queryOptions } as UseQueryOptions<
    Awaited<ReturnType<typeof getHousehold>>,
    TError,
    TData
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type GetHouseholdQueryResult = NonNullable<Awaited<ReturnType<typeof getHousehold>>>;
export type GetHouseholdQueryError = ErrorType<unknown>;

export function useGetHousehold<
  TData = Awaited<ReturnType<typeof getHousehold>>,
  TError = ErrorType<unknown>,
>(
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getHousehold>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getHousehold>>,
          TError,
          Awaited<ReturnType<typeof getHousehold>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetHousehold<
  TData = Awaited<ReturnType<typeof getHousehold>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getHousehold>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getHousehold>>,
          TError,
          Awaited<ReturnType<typeof getHousehold>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetHousehold<
  TData = Awaited<ReturnType<typeof getHousehold>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getHousehold>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List the assistants that talk with one's children
 */

export function useGetHousehold<
  TData = Awaited<ReturnType<typeof getHousehold>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getHousehold>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetHouseholdQueryOptions(options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type renameChildResponse200 = {
  data: Child;
  status: 200;
};

export type renameChildResponseSuccess = renameChildResponse200 & {
  headers: Headers;
};
export const getRenameChildUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/name`;
};

/**
 * 409 while a request to delete the child is pending. 422 for more than twenty new names by the caller in 30 days.
 * @summary Rename a child
 */
export const renameChild = async (
  childId: number,
  nameRequest: NameRequest,
  options?: Parameters<typeof http>[1],
): Promise<renameChildResponseSuccess> => {
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
  return http<renameChildResponseSuccess>(getRenameChildUrl(childId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(nameRequest),
  });
};

export const getRenameChildMutationKey = () => ["renameChild"] as const;

export const getRenameChildMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof renameChild>>,
    TError,
    RenameChildMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof renameChild>>,
  TError,
  RenameChildMutationVariables,
  TContext
> => {
  const mutationKey = getRenameChildMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof renameChild>>,
    RenameChildMutationVariables
  > = (props) => {
    const { childId, data } = props ?? {};

    return renameChild(childId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type RenameChildMutationResult = NonNullable<Awaited<ReturnType<typeof renameChild>>>;
export type RenameChildMutationBody = NameRequest;
export type RenameChildMutationError = ErrorType<unknown>;
export type RenameChildMutationVariables = { childId: number; data: NameRequest };

/**
 * @summary Rename a child
 */
export const useRenameChild = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof renameChild>>,
      TError,
      RenameChildMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof renameChild>>,
  TError,
  RenameChildMutationVariables,
  TContext
> => {
  return useMutation(getRenameChildMutationOptions(options), queryClient);
};
export type connectAssistantResponse201 = {
  data: ConnectedAssistant;
  status: 201;
};

export type connectAssistantResponseSuccess = connectAssistantResponse201 & {
  headers: Headers;
};
export const getConnectAssistantUrl = () => {
  return `/api/assistants`;
};

/**
 * Requires stepping up (403 otherwise). The key can't be requested again. At most twenty keys a day. 409 if the model's
 * server was removed or has another host.
 * @summary Connect an assistant to one's children
 */
export const connectAssistant = async (
  connectRequest: ConnectRequest,
  options?: Parameters<typeof http>[1],
): Promise<connectAssistantResponseSuccess> => {
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
  return http<connectAssistantResponseSuccess>(getConnectAssistantUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(connectRequest),
  });
};

export const getConnectAssistantMutationKey = () => ["connectAssistant"] as const;

export const getConnectAssistantMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof connectAssistant>>,
    TError,
    ConnectAssistantMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof connectAssistant>>,
  TError,
  ConnectAssistantMutationVariables,
  TContext
> => {
  const mutationKey = getConnectAssistantMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof connectAssistant>>,
    ConnectAssistantMutationVariables
  > = (props) => {
    const { data } = props ?? {};

    return connectAssistant(data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type ConnectAssistantMutationResult = NonNullable<Awaited<ReturnType<typeof connectAssistant>>>;
export type ConnectAssistantMutationBody = ConnectRequest;
export type ConnectAssistantMutationError = ErrorType<unknown>;
export type ConnectAssistantMutationVariables = { data: ConnectRequest };

/**
 * @summary Connect an assistant to one's children
 */
export const useConnectAssistant = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof connectAssistant>>,
      TError,
      ConnectAssistantMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof connectAssistant>>,
  TError,
  ConnectAssistantMutationVariables,
  TContext
> => {
  return useMutation(getConnectAssistantMutationOptions(options), queryClient);
};
export type renameAssistantResponse200 = {
  data: OwnAssistant;
  status: 200;
};

export type renameAssistantResponseSuccess = renameAssistantResponse200 & {
  headers: Headers;
};
export const getRenameAssistantUrl = (assistantId: string) => {
  return `/api/assistants/${encodeURIComponent(String(assistantId))}/name`;
};

/**
 * 409 if it also talks with a child that isn't the caller's.
 * @summary Rename an assistant
 */
export const renameAssistant = async (
  assistantId: string,
  nameRequest: NameRequest,
  options?: Parameters<typeof http>[1],
): Promise<renameAssistantResponseSuccess> => {
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
  return http<renameAssistantResponseSuccess>(getRenameAssistantUrl(assistantId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(nameRequest),
  });
};

export const getRenameAssistantMutationKey = () => ["renameAssistant"] as const;

export const getRenameAssistantMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof renameAssistant>>,
    TError,
    RenameAssistantMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof renameAssistant>>,
  TError,
  RenameAssistantMutationVariables,
  TContext
> => {
  const mutationKey = getRenameAssistantMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof renameAssistant>>,
    RenameAssistantMutationVariables
  > = (props) => {
    const { assistantId, data } = props ?? {};

    return renameAssistant(assistantId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type RenameAssistantMutationResult = NonNullable<Awaited<ReturnType<typeof renameAssistant>>>;
export type RenameAssistantMutationBody = NameRequest;
export type RenameAssistantMutationError = ErrorType<unknown>;
export type RenameAssistantMutationVariables = { assistantId: string; data: NameRequest };

/**
 * @summary Rename an assistant
 */
export const useRenameAssistant = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof renameAssistant>>,
      TError,
      RenameAssistantMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof renameAssistant>>,
  TError,
  RenameAssistantMutationVariables,
  TContext
> => {
  return useMutation(getRenameAssistantMutationOptions(options), queryClient);
};
export type rotateAssistantResponse201 = {
  data: ConnectedAssistant;
  status: 201;
};

export type rotateAssistantResponseSuccess = rotateAssistantResponse201 & {
  headers: Headers;
};
export const getRotateAssistantUrl = (assistantId: string) => {
  return `/api/assistants/${encodeURIComponent(String(assistantId))}/key`;
};

/**
 * Revokes the old one at once. Requires stepping up (403 otherwise). 409 if it also talks with a child that isn't the
 * caller's.
 * @summary Give an assistant a new key
 */
export const rotateAssistant = async (
  assistantId: string,
  options?: Parameters<typeof http>[1],
): Promise<rotateAssistantResponseSuccess> => {
  return http<rotateAssistantResponseSuccess>(getRotateAssistantUrl(assistantId), {
    ...options,
    method: "POST",
  });
};

export const getRotateAssistantMutationKey = () => ["rotateAssistant"] as const;

export const getRotateAssistantMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof rotateAssistant>>,
    TError,
    RotateAssistantMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof rotateAssistant>>,
  TError,
  RotateAssistantMutationVariables,
  TContext
> => {
  const mutationKey = getRotateAssistantMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof rotateAssistant>>,
    RotateAssistantMutationVariables
  > = (props) => {
    const { assistantId } = props ?? {};

    return rotateAssistant(assistantId, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type RotateAssistantMutationResult = NonNullable<Awaited<ReturnType<typeof rotateAssistant>>>;

export type RotateAssistantMutationError = ErrorType<unknown>;
export type RotateAssistantMutationVariables = { assistantId: string };

/**
 * @summary Give an assistant a new key
 */
export const useRotateAssistant = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof rotateAssistant>>,
      TError,
      RotateAssistantMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof rotateAssistant>>,
  TError,
  RotateAssistantMutationVariables,
  TContext
> => {
  return useMutation(getRotateAssistantMutationOptions(options), queryClient);
};
export type keepAssistantKeyResponse204 = {
  data: void;
  status: 204;
};

export type keepAssistantKeyResponseSuccess = keepAssistantKeyResponse204 & {
  headers: Headers;
};
export const getKeepAssistantKeyUrl = (assistantId: string) => {
  return `/api/assistants/${encodeURIComponent(String(assistantId))}/key/kept`;
};

/**
 * 409 if it also talks with a child that isn't the caller's.
 * @summary Keep an assistant's key although a former guardian has seen it
 */
export const keepAssistantKey = async (
  assistantId: string,
  options?: Parameters<typeof http>[1],
): Promise<keepAssistantKeyResponseSuccess> => {
  return http<keepAssistantKeyResponseSuccess>(getKeepAssistantKeyUrl(assistantId), {
    ...options,
    method: "PUT",
  });
};

export const getKeepAssistantKeyMutationKey = () => ["keepAssistantKey"] as const;

export const getKeepAssistantKeyMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof keepAssistantKey>>,
    TError,
    KeepAssistantKeyMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof keepAssistantKey>>,
  TError,
  KeepAssistantKeyMutationVariables,
  TContext
> => {
  const mutationKey = getKeepAssistantKeyMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof keepAssistantKey>>,
    KeepAssistantKeyMutationVariables
  > = (props) => {
    const { assistantId } = props ?? {};

    return keepAssistantKey(assistantId, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type KeepAssistantKeyMutationResult = NonNullable<Awaited<ReturnType<typeof keepAssistantKey>>>;

export type KeepAssistantKeyMutationError = ErrorType<unknown>;
export type KeepAssistantKeyMutationVariables = { assistantId: string };

/**
 * @summary Keep an assistant's key although a former guardian has seen it
 */
export const useKeepAssistantKey = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof keepAssistantKey>>,
      TError,
      KeepAssistantKeyMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof keepAssistantKey>>,
  TError,
  KeepAssistantKeyMutationVariables,
  TContext
> => {
  return useMutation(getKeepAssistantKeyMutationOptions(options), queryClient);
};
export type revokeAssistantResponse204 = {
  data: void;
  status: 204;
};

export type revokeAssistantResponseSuccess = revokeAssistantResponse204 & {
  headers: Headers;
};
export const getRevokeAssistantUrl = (assistantId: string) => {
  return `/api/assistants/${encodeURIComponent(String(assistantId))}`;
};

/**
 * Its key becomes invalid at once; what it delivered stays. 409 if it also talks with a child that isn't the caller's.
 * @summary Revoke an assistant
 */
export const revokeAssistant = async (
  assistantId: string,
  options?: Parameters<typeof http>[1],
): Promise<revokeAssistantResponseSuccess> => {
  return http<revokeAssistantResponseSuccess>(getRevokeAssistantUrl(assistantId), {
    ...options,
    method: "DELETE",
  });
};

export const getRevokeAssistantMutationKey = () => ["revokeAssistant"] as const;

export const getRevokeAssistantMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof revokeAssistant>>,
    TError,
    RevokeAssistantMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof revokeAssistant>>,
  TError,
  RevokeAssistantMutationVariables,
  TContext
> => {
  const mutationKey = getRevokeAssistantMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof revokeAssistant>>,
    RevokeAssistantMutationVariables
  > = (props) => {
    const { assistantId } = props ?? {};

    return revokeAssistant(assistantId, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type RevokeAssistantMutationResult = NonNullable<Awaited<ReturnType<typeof revokeAssistant>>>;

export type RevokeAssistantMutationError = ErrorType<unknown>;
export type RevokeAssistantMutationVariables = { assistantId: string };

/**
 * @summary Revoke an assistant
 */
export const useRevokeAssistant = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof revokeAssistant>>,
      TError,
      RevokeAssistantMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof revokeAssistant>>,
  TError,
  RevokeAssistantMutationVariables,
  TContext
> => {
  return useMutation(getRevokeAssistantMutationOptions(options), queryClient);
};
export type takeChildOffResponse204 = {
  data: void;
  status: 204;
};

export type takeChildOffResponseSuccess = takeChildOffResponse204 & {
  headers: Headers;
};
export const getTakeChildOffUrl = (childId: number, assistantId: string) => {
  return `/api/child/${encodeURIComponent(String(childId))}/assistants/${encodeURIComponent(String(assistantId))}`;
};

/**
 * Also from an assistant that somebody else added. An assistant that a guardian added is revoked with its last child.
 * @summary Remove one's child from an assistant
 */
export const takeChildOff = async (
  childId: number,
  assistantId: string,
  options?: Parameters<typeof http>[1],
): Promise<takeChildOffResponseSuccess> => {
  return http<takeChildOffResponseSuccess>(getTakeChildOffUrl(childId, assistantId), {
    ...options,
    method: "DELETE",
  });
};

export const getTakeChildOffMutationKey = () => ["takeChildOff"] as const;

export const getTakeChildOffMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof takeChildOff>>,
    TError,
    TakeChildOffMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof takeChildOff>>,
  TError,
  TakeChildOffMutationVariables,
  TContext
> => {
  const mutationKey = getTakeChildOffMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof takeChildOff>>,
    TakeChildOffMutationVariables
  > = (props) => {
    const { childId, assistantId } = props ?? {};

    return takeChildOff(childId, assistantId, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type TakeChildOffMutationResult = NonNullable<Awaited<ReturnType<typeof takeChildOff>>>;

export type TakeChildOffMutationError = ErrorType<unknown>;
export type TakeChildOffMutationVariables = { childId: number; assistantId: string };

/**
 * @summary Remove one's child from an assistant
 */
export const useTakeChildOff = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof takeChildOff>>,
      TError,
      TakeChildOffMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof takeChildOff>>,
  TError,
  TakeChildOffMutationVariables,
  TContext
> => {
  return useMutation(getTakeChildOffMutationOptions(options), queryClient);
};
export type getRequestsResponse200 = {
  data: Requests;
  status: 200;
};

export type getRequestsResponseSuccess = getRequestsResponse200 & {
  headers: Headers;
};
export const getGetRequestsUrl = () => {
  return `/api/household/requests`;
};

/**
 * @summary Get the pending requests about one's children
 */
export const getRequests = async (
  options?: Parameters<typeof http>[1],
): Promise<getRequestsResponseSuccess> => {
  return http<getRequestsResponseSuccess>(getGetRequestsUrl(), {
    ...options,
    method: "GET",
  });
};

export const getGetRequestsQueryKey = () => {
  return [`/api/household/requests`] as const;
};

export const getGetRequestsQueryOptions = <
  TData = Awaited<ReturnType<typeof getRequests>>,
  TError = ErrorType<unknown>,
>(options?: {
  query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRequests>>, TError, TData>>;
  request?: SecondParameter<typeof http>;
}) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetRequestsQueryKey();

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getRequests>>> = ({ signal }) =>
    getRequests({ signal, ...requestOptions });

  return { queryKey, queryFn, ...queryOptions } as UseQueryOptions<
    Awaited<ReturnType<typeof getRequests>>,
    TError,
    TData
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type GetRequestsQueryResult = NonNullable<Awaited<ReturnType<typeof getRequests>>>;
export type GetRequestsQueryError = ErrorType<unknown>;

export function useGetRequests<TData = Awaited<ReturnType<typeof getRequests>>, TError = ErrorType<unknown>>(
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRequests>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getRequests>>,
          TError,
          Awaited<ReturnType<typeof getRequests>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetRequests<TData = Awaited<ReturnType<typeof getRequests>>, TError = ErrorType<unknown>>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRequests>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getRequests>>,
          TError,
          Awaited<ReturnType<typeof getRequests>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetRequests<TData = Awaited<ReturnType<typeof getRequests>>, TError = ErrorType<unknown>>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRequests>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get the pending requests about one's children
 */

export function useGetRequests<TData = Awaited<ReturnType<typeof getRequests>>, TError = ErrorType<unknown>>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRequests>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetRequestsQueryOptions(options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type noteRequestsShownResponse204 = {
  data: void;
  status: 204;
};

export type noteRequestsShownResponseSuccess = noteRequestsShownResponse204 & {
  headers: Headers;
};
export const getNoteRequestsShownUrl = () => {
  return `/api/household/requests/shown`;
};

/**
 * They may take effect seven days later. Requests that have ended, or changed to another edition, are ignored. 404 for a
 * child that isn't the caller's.
 * @summary Record that pending requests were shown
 */
export const noteRequestsShown = async (
  shownRequests: ShownRequests,
  options?: Parameters<typeof http>[1],
): Promise<noteRequestsShownResponseSuccess> => {
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
  return http<noteRequestsShownResponseSuccess>(getNoteRequestsShownUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(shownRequests),
  });
};

export const getNoteRequestsShownMutationKey = () => ["noteRequestsShown"] as const;

export const getNoteRequestsShownMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof noteRequestsShown>>,
    TError,
    NoteRequestsShownMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof noteRequestsShown>>,
  TError,
  NoteRequestsShownMutationVariables,
  TContext
> => {
  const mutationKey = getNoteRequestsShownMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof noteRequestsShown>>,
    NoteRequestsShownMutationVariables
  > = (props) => {
    const { data } = props ?? {};

    return noteRequestsShown(data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type NoteRequestsShownMutationResult = NonNullable<Awaited<ReturnType<typeof noteRequestsShown>>>;
export type NoteRequestsShownMutationBody = ShownRequests;
export type NoteRequestsShownMutationError = ErrorType<unknown>;
export type NoteRequestsShownMutationVariables = { data: ShownRequests };

/**
 * @summary Record that pending requests were shown
 */
export const useNoteRequestsShown = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof noteRequestsShown>>,
      TError,
      NoteRequestsShownMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof noteRequestsShown>>,
  TError,
  NoteRequestsShownMutationVariables,
  TContext
> => {
  return useMutation(getNoteRequestsShownMutationOptions(options), queryClient);
};
export type leaveChildResponse204 = {
  data: void;
  status: 204;
};

export type leaveChildResponseSuccess = leaveChildResponse204 & {
  headers: Headers;
};
export const getLeaveChildUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/guardians/me`;
};

/**
 * Removes only the caller's access. Requires stepping up (403 otherwise). 409 if the child has no other guardian.
 * @summary Give up access to a child
 */
export const leaveChild = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<leaveChildResponseSuccess> => {
  return http<leaveChildResponseSuccess>(getLeaveChildUrl(childId), {
    ...options,
    method: "DELETE",
  });
};

export const getLeaveChildMutationKey = () => ["leaveChild"] as const;

export const getLeaveChildMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof leaveChild>>,
    TError,
    LeaveChildMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof leaveChild>>,
  TError,
  LeaveChildMutationVariables,
  TContext
> => {
  const mutationKey = getLeaveChildMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<Awaited<ReturnType<typeof leaveChild>>, LeaveChildMutationVariables> = (
    props,
  ) => {
    const { childId } = props ?? {};

    return leaveChild(childId, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type LeaveChildMutationResult = NonNullable<Awaited<ReturnType<typeof leaveChild>>>;

export type LeaveChildMutationError = ErrorType<unknown>;
export type LeaveChildMutationVariables = { childId: number };

/**
 * @summary Give up access to a child
 */
export const useLeaveChild = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof leaveChild>>,
      TError,
      LeaveChildMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof leaveChild>>,
  TError,
  LeaveChildMutationVariables,
  TContext
> => {
  return useMutation(getLeaveChildMutationOptions(options), queryClient);
};
export type requestChildDeletionResponse204 = {
  data: void;
  status: 204;
};

export type requestChildDeletionResponseSuccess = requestChildDeletionResponse204 & {
  headers: Headers;
};
export const getRequestChildDeletionUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/deletion`;
};

/**
 * Requires stepping up (403 otherwise). It takes effect once all other guardians have confirmed it, or seven days after it
 * was shown to each of them. For a child's only guardian it takes effect after seven days. Requesting it again changes
 * nothing. 409 if another guardian's request is pending. Requests about one child can be made or changed at most three times
 * in seven days. While it is pending, the child can't be renamed and no conversations can be moved to it.
 * @summary Request the deletion of a child and all its data
 */
export const requestChildDeletion = async (
  childId: number,
  nameRequest: NameRequest,
  options?: Parameters<typeof http>[1],
): Promise<requestChildDeletionResponseSuccess> => {
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
  return http<requestChildDeletionResponseSuccess>(getRequestChildDeletionUrl(childId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(nameRequest),
  });
};

export const getRequestChildDeletionMutationKey = () => ["requestChildDeletion"] as const;

export const getRequestChildDeletionMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof requestChildDeletion>>,
    TError,
    RequestChildDeletionMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof requestChildDeletion>>,
  TError,
  RequestChildDeletionMutationVariables,
  TContext
> => {
  const mutationKey = getRequestChildDeletionMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof requestChildDeletion>>,
    RequestChildDeletionMutationVariables
  > = (props) => {
    const { childId, data } = props ?? {};

    return requestChildDeletion(childId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type RequestChildDeletionMutationResult = NonNullable<
  Awaited<ReturnType<typeof requestChildDeletion>>
>;
export type RequestChildDeletionMutationBody = NameRequest;
export type RequestChildDeletionMutationError = ErrorType<unknown>;
export type RequestChildDeletionMutationVariables = { childId: number; data: NameRequest };

/**
 * @summary Request the deletion of a child and all its data
 */
export const useRequestChildDeletion = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof requestChildDeletion>>,
      TError,
      RequestChildDeletionMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof requestChildDeletion>>,
  TError,
  RequestChildDeletionMutationVariables,
  TContext
> => {
  return useMutation(getRequestChildDeletionMutationOptions(options), queryClient);
};
export type confirmRequestResponse204 = {
  data: void;
  status: 204;
};

export type confirmRequestResponseSuccess = confirmRequestResponse204 & {
  headers: Headers;
};
export const getConfirmRequestUrl = (childId: number, kind: "deletion" | "retention") => {
  return `/api/child/${encodeURIComponent(String(childId))}/requests/${encodeURIComponent(String(kind))}/confirmation`;
};

/**
 * Requires stepping up (403 otherwise). 400 without `If-Match`.
 * @summary Confirm another guardian's request
 */
export const confirmRequest = async (
  childId: number,
  kind: "deletion" | "retention",
  options?: Parameters<typeof http>[1],
): Promise<confirmRequestResponseSuccess> => {
  return http<confirmRequestResponseSuccess>(getConfirmRequestUrl(childId, kind), {
    ...options,
    method: "PUT",
  });
};

export const getConfirmRequestMutationKey = () => ["confirmRequest"] as const;

export const getConfirmRequestMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof confirmRequest>>,
    TError,
    ConfirmRequestMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof confirmRequest>>,
  TError,
  ConfirmRequestMutationVariables,
  TContext
> => {
  const mutationKey = getConfirmRequestMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof confirmRequest>>,
    ConfirmRequestMutationVariables
  > = (props) => {
    const { childId, kind } = props ?? {};

    return confirmRequest(childId, kind, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type ConfirmRequestMutationResult = NonNullable<Awaited<ReturnType<typeof confirmRequest>>>;

export type ConfirmRequestMutationError = ErrorType<unknown>;
export type ConfirmRequestMutationVariables = { childId: number; kind: "deletion" | "retention" };

/**
 * @summary Confirm another guardian's request
 */
export const useConfirmRequest = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof confirmRequest>>,
      TError,
      ConfirmRequestMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof confirmRequest>>,
  TError,
  ConfirmRequestMutationVariables,
  TContext
> => {
  return useMutation(getConfirmRequestMutationOptions(options), queryClient);
};
export type stopRequestResponse204 = {
  data: void;
  status: 204;
};

export type stopRequestResponseSuccess = stopRequestResponse204 & {
  headers: Headers;
};
export const getStopRequestUrl = (childId: number, kind: "deletion" | "retention") => {
  return `/api/child/${encodeURIComponent(String(childId))}/requests/${encodeURIComponent(String(kind))}`;
};

/**
 * @summary Cancel any guardian's request
 */
export const stopRequest = async (
  childId: number,
  kind: "deletion" | "retention",
  options?: Parameters<typeof http>[1],
): Promise<stopRequestResponseSuccess> => {
  return http<stopRequestResponseSuccess>(getStopRequestUrl(childId, kind), {
    ...options,
    method: "DELETE",
  });
};

export const getStopRequestMutationKey = () => ["stopRequest"] as const;

export const getStopRequestMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof stopRequest>>,
    TError,
    StopRequestMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof stopRequest>>,
  TError,
  StopRequestMutationVariables,
  TContext
> => {
  const mutationKey = getStopRequestMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof stopRequest>>,
    StopRequestMutationVariables
  > = (props) => {
    const { childId, kind } = props ?? {};

    return stopRequest(childId, kind, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type StopRequestMutationResult = NonNullable<Awaited<ReturnType<typeof stopRequest>>>;

export type StopRequestMutationError = ErrorType<unknown>;
export type StopRequestMutationVariables = { childId: number; kind: "deletion" | "retention" };

/**
 * @summary Cancel any guardian's request
 */
export const useStopRequest = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof stopRequest>>,
      TError,
      StopRequestMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof stopRequest>>,
  TError,
  StopRequestMutationVariables,
  TContext
> => {
  return useMutation(getStopRequestMutationOptions(options), queryClient);
};
export type listConnectionsResponse200 = {
  data: PageConnection;
  status: 200;
};

export type listConnectionsResponseSuccess = listConnectionsResponse200 & {
  headers: Headers;
};
export const getListConnectionsUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/connections`;
};

/**
 * @summary List how a child's assistants are connected, by name
 */
export const listConnections = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<listConnectionsResponseSuccess> => {
  return http<listConnectionsResponseSuccess>(getListConnectionsUrl(childId), {
    ...options,
    method: "GET",
  });
};

export const getListConnectionsQueryKey = (childId: number) => {
  return [`/api/child/${childId}/connections`] as const;
};

export const getListConnectionsQueryOptions = <
  TData = Awaited<ReturnType<typeof listConnections>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listConnections>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getListConnectionsQueryKey(childId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof listConnections>>> = ({ signal }) =>
    listConnections(childId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof listConnections>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type ListConnectionsQueryResult = NonNullable<Awaited<ReturnType<typeof listConnections>>>;
export type ListConnectionsQueryError = ErrorType<unknown>;

export function useListConnections<
  TData = Awaited<ReturnType<typeof listConnections>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof listConnections>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof listConnections>>,
          TError,
          Awaited<ReturnType<typeof listConnections>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListConnections<
  TData = Awaited<ReturnType<typeof listConnections>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listConnections>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof listConnections>>,
          TError,
          Awaited<ReturnType<typeof listConnections>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListConnections<
  TData = Awaited<ReturnType<typeof listConnections>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listConnections>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List how a child's assistants are connected, by name
 */

export function useListConnections<
  TData = Awaited<ReturnType<typeof listConnections>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listConnections>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getListConnectionsQueryOptions(childId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type chooseAssistantUpstreamResponse200 = {
  data: OwnAssistant;
  status: 200;
};

export type chooseAssistantUpstreamResponseSuccess = chooseAssistantUpstreamResponse200 & {
  headers: Headers;
};
export const getChooseAssistantUpstreamUrl = (assistantId: string) => {
  return `/api/assistants/${encodeURIComponent(String(assistantId))}/upstream`;
};

/**
 * Requires stepping up (403 otherwise). 409 if the server was removed or has another host, or if the assistant also talks
 * with a child that isn't the caller's.
 * @summary Choose the model's server of an assistant
 */
export const chooseAssistantUpstream = async (
  assistantId: string,
  chooseUpstreamRequest: ChooseUpstreamRequest,
  options?: Parameters<typeof http>[1],
): Promise<chooseAssistantUpstreamResponseSuccess> => {
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
  return http<chooseAssistantUpstreamResponseSuccess>(getChooseAssistantUpstreamUrl(assistantId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(chooseUpstreamRequest),
  });
};

export const getChooseAssistantUpstreamMutationKey = () => ["chooseAssistantUpstream"] as const;

export const getChooseAssistantUpstreamMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof chooseAssistantUpstream>>,
    TError,
    ChooseAssistantUpstreamMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof chooseAssistantUpstream>>,
  TError,
  ChooseAssistantUpstreamMutationVariables,
  TContext
> => {
  const mutationKey = getChooseAssistantUpstreamMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof chooseAssistantUpstream>>,
    ChooseAssistantUpstreamMutationVariables
  > = (props) => {
    const { assistantId, data } = props ?? {};

    return chooseAssistantUpstream(assistantId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type ChooseAssistantUpstreamMutationResult = NonNullable<
  Awaited<ReturnType<typeof chooseAssistantUpstream>>
>;
export type ChooseAssistantUpstreamMutationBody = ChooseUpstreamRequest;
export type ChooseAssistantUpstreamMutationError = ErrorType<unknown>;
export type ChooseAssistantUpstreamMutationVariables = { assistantId: string; data: ChooseUpstreamRequest };

/**
 * @summary Choose the model's server of an assistant
 */
export const useChooseAssistantUpstream = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof chooseAssistantUpstream>>,
      TError,
      ChooseAssistantUpstreamMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof chooseAssistantUpstream>>,
  TError,
  ChooseAssistantUpstreamMutationVariables,
  TContext
> => {
  return useMutation(getChooseAssistantUpstreamMutationOptions(options), queryClient);
};
export type inviteGuardianResponse201 = {
  data: CreatedInvitation;
  status: 201;
};

export type inviteGuardianResponseSuccess = inviteGuardianResponse201 & {
  headers: Headers;
};
export const getInviteGuardianUrl = () => {
  return `/api/invitations`;
};

/**
 * Requires stepping up (403 otherwise). The invitation takes effect once all other guardians of a child have confirmed it,
 * or seven days after it was shown to each of them. At most five a day, three of them for the same child, and twenty in
 * total; none in the first 24 hours after joining by an invitation. 409 if a child has eight guardians. An unverified
 * address gets at most three e-mails a day; further ones get the same response.
 * @summary Invite another guardian
 */
export const inviteGuardian = async (
  inviteRequest: InviteRequest,
  options?: Parameters<typeof http>[1],
): Promise<inviteGuardianResponseSuccess> => {
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
  return http<inviteGuardianResponseSuccess>(getInviteGuardianUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(inviteRequest),
  });
};

export const getInviteGuardianMutationKey = () => ["inviteGuardian"] as const;

export const getInviteGuardianMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof inviteGuardian>>,
    TError,
    InviteGuardianMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof inviteGuardian>>,
  TError,
  InviteGuardianMutationVariables,
  TContext
> => {
  const mutationKey = getInviteGuardianMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof inviteGuardian>>,
    InviteGuardianMutationVariables
  > = (props) => {
    const { data } = props ?? {};

    return inviteGuardian(data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type InviteGuardianMutationResult = NonNullable<Awaited<ReturnType<typeof inviteGuardian>>>;
export type InviteGuardianMutationBody = InviteRequest;
export type InviteGuardianMutationError = ErrorType<unknown>;
export type InviteGuardianMutationVariables = { data: InviteRequest };

/**
 * @summary Invite another guardian
 */
export const useInviteGuardian = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof inviteGuardian>>,
      TError,
      InviteGuardianMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof inviteGuardian>>,
  TError,
  InviteGuardianMutationVariables,
  TContext
> => {
  return useMutation(getInviteGuardianMutationOptions(options), queryClient);
};
export type confirmInvitationResponse204 = {
  data: void;
  status: 204;
};

export type confirmInvitationResponseSuccess = confirmInvitationResponse204 & {
  headers: Headers;
};
export const getConfirmInvitationUrl = (invitationId: string) => {
  return `/api/invitations/${encodeURIComponent(String(invitationId))}/confirmation`;
};

/**
 * For all of the caller's children in it. Requires stepping up (403 otherwise). 400 without `If-Match`.
 * @summary Confirm another guardian's invitation
 */
export const confirmInvitation = async (
  invitationId: string,
  options?: Parameters<typeof http>[1],
): Promise<confirmInvitationResponseSuccess> => {
  return http<confirmInvitationResponseSuccess>(getConfirmInvitationUrl(invitationId), {
    ...options,
    method: "PUT",
  });
};

export const getConfirmInvitationMutationKey = () => ["confirmInvitation"] as const;

export const getConfirmInvitationMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof confirmInvitation>>,
    TError,
    ConfirmInvitationMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof confirmInvitation>>,
  TError,
  ConfirmInvitationMutationVariables,
  TContext
> => {
  const mutationKey = getConfirmInvitationMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof confirmInvitation>>,
    ConfirmInvitationMutationVariables
  > = (props) => {
    const { invitationId } = props ?? {};

    return confirmInvitation(invitationId, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type ConfirmInvitationMutationResult = NonNullable<Awaited<ReturnType<typeof confirmInvitation>>>;

export type ConfirmInvitationMutationError = ErrorType<unknown>;
export type ConfirmInvitationMutationVariables = { invitationId: string };

/**
 * @summary Confirm another guardian's invitation
 */
export const useConfirmInvitation = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof confirmInvitation>>,
      TError,
      ConfirmInvitationMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof confirmInvitation>>,
  TError,
  ConfirmInvitationMutationVariables,
  TContext
> => {
  return useMutation(getConfirmInvitationMutationOptions(options), queryClient);
};
export type stopInvitationResponse204 = {
  data: void;
  status: 204;
};

export type stopInvitationResponseSuccess = stopInvitationResponse204 & {
  headers: Headers;
};
export const getStopInvitationUrl = (invitationId: string) => {
  return `/api/invitations/${encodeURIComponent(String(invitationId))}`;
};

/**
 * Also one by another guardian of the caller's children. It stays valid for children that aren't the caller's.
 * @summary Cancel an invitation
 */
export const stopInvitation = async (
  invitationId: string,
  options?: Parameters<typeof http>[1],
): Promise<stopInvitationResponseSuccess> => {
  return http<stopInvitationResponseSuccess>(getStopInvitationUrl(invitationId), {
    ...options,
    method: "DELETE",
  });
};

export const getStopInvitationMutationKey = () => ["stopInvitation"] as const;

export const getStopInvitationMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof stopInvitation>>,
    TError,
    StopInvitationMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof stopInvitation>>,
  TError,
  StopInvitationMutationVariables,
  TContext
> => {
  const mutationKey = getStopInvitationMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof stopInvitation>>,
    StopInvitationMutationVariables
  > = (props) => {
    const { invitationId } = props ?? {};

    return stopInvitation(invitationId, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type StopInvitationMutationResult = NonNullable<Awaited<ReturnType<typeof stopInvitation>>>;

export type StopInvitationMutationError = ErrorType<unknown>;
export type StopInvitationMutationVariables = { invitationId: string };

/**
 * @summary Cancel an invitation
 */
export const useStopInvitation = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof stopInvitation>>,
      TError,
      StopInvitationMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof stopInvitation>>,
  TError,
  StopInvitationMutationVariables,
  TContext
> => {
  return useMutation(getStopInvitationMutationOptions(options), queryClient);
};
export type openInvitationResponse200 = {
  data: OpenedInvitation;
  status: 200;
};

export type openInvitationResponseSuccess = openInvitationResponse200 & {
  headers: Headers;
};
export const getOpenInvitationUrl = () => {
  return `/api/invitations/open`;
};

/**
 * @summary Get the inviting guardian
 */
export const openInvitation = async (
  invitationToken: InvitationToken,
  options?: Parameters<typeof http>[1],
): Promise<openInvitationResponseSuccess> => {
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
  return http<openInvitationResponseSuccess>(getOpenInvitationUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(invitationToken),
  });
};

export const getOpenInvitationMutationKey = () => ["openInvitation"] as const;

export const getOpenInvitationMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof openInvitation>>,
    TError,
    OpenInvitationMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof openInvitation>>,
  TError,
  OpenInvitationMutationVariables,
  TContext
> => {
  const mutationKey = getOpenInvitationMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof openInvitation>>,
    OpenInvitationMutationVariables
  > = (props) => {
    const { data } = props ?? {};

    return openInvitation(data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type OpenInvitationMutationResult = NonNullable<Awaited<ReturnType<typeof openInvitation>>>;
export type OpenInvitationMutationBody = InvitationToken;
export type OpenInvitationMutationError = ErrorType<unknown>;
export type OpenInvitationMutationVariables = { data: InvitationToken };

/**
 * @summary Get the inviting guardian
 */
export const useOpenInvitation = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof openInvitation>>,
      TError,
      OpenInvitationMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof openInvitation>>,
  TError,
  OpenInvitationMutationVariables,
  TContext
> => {
  return useMutation(getOpenInvitationMutationOptions(options), queryClient);
};
export type acceptInvitationResponse201 = {
  data: IssuedIdentity;
  status: 201;
};

export type acceptInvitationResponseSuccess = acceptInvitationResponse201 & {
  headers: Headers;
};
export const getAcceptInvitationUrl = () => {
  return `/api/invitations/accept`;
};

/**
 * Creates a guardian and signs them in: sets the sign-in cookie, which `/auth/token` requires. The link can't be used again.
 * Same-origin requests only.
 * @summary Accept an invitation as a new guardian
 */
export const acceptInvitation = async (
  acceptRequest: AcceptRequest,
  options?: Parameters<typeof http>[1],
): Promise<acceptInvitationResponseSuccess> => {
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
  return http<acceptInvitationResponseSuccess>(getAcceptInvitationUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(acceptRequest),
  });
};

export type joinByInvitationResponse204 = {
  data: void;
  status: 204;
};

export type joinByInvitationResponseSuccess = joinByInvitationResponse204 & {
  headers: Headers;
};
export const getJoinByInvitationUrl = () => {
  return `/api/invitations/join`;
};

/**
 * The link can't be used again. 409 if the caller already has all of the children.
 * @summary Accept an invitation as the signed-in guardian
 */
export const joinByInvitation = async (
  invitationToken: InvitationToken,
  options?: Parameters<typeof http>[1],
): Promise<joinByInvitationResponseSuccess> => {
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
  return http<joinByInvitationResponseSuccess>(getJoinByInvitationUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(invitationToken),
  });
};

export const getJoinByInvitationMutationKey = () => ["joinByInvitation"] as const;

export const getJoinByInvitationMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof joinByInvitation>>,
    TError,
    JoinByInvitationMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof joinByInvitation>>,
  TError,
  JoinByInvitationMutationVariables,
  TContext
> => {
  const mutationKey = getJoinByInvitationMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof joinByInvitation>>,
    JoinByInvitationMutationVariables
  > = (props) => {
    const { data } = props ?? {};

    return joinByInvitation(data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type JoinByInvitationMutationResult = NonNullable<Awaited<ReturnType<typeof joinByInvitation>>>;
export type JoinByInvitationMutationBody = InvitationToken;
export type JoinByInvitationMutationError = ErrorType<unknown>;
export type JoinByInvitationMutationVariables = { data: InvitationToken };

/**
 * @summary Accept an invitation as the signed-in guardian
 */
export const useJoinByInvitation = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof joinByInvitation>>,
      TError,
      JoinByInvitationMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof joinByInvitation>>,
  TError,
  JoinByInvitationMutationVariables,
  TContext
> => {
  return useMutation(getJoinByInvitationMutationOptions(options), queryClient);
};
export type getRetentionResponse200 = {
  data: Retention;
  status: 200;
};

export type getRetentionResponseSuccess = getRetentionResponse200 & {
  headers: Headers;
};
export const getGetRetentionUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/retention`;
};

/**
 * Older ones are deleted every night: they are moved to 'Recently deleted'. The age of a conversation counts from the latest
 * of its newest message, its last arrival, and the last time at which it was moved or restored, or a guardian stopped
 * keeping it.
 * @summary Get for how long a child's conversations are kept
 */
export const getRetention = async (
  childId: number,
  options?: Parameters<typeof http>[1],
): Promise<getRetentionResponseSuccess> => {
  return http<getRetentionResponseSuccess>(getGetRetentionUrl(childId), {
    ...options,
    method: "GET",
  });
};

export const getGetRetentionQueryKey = (childId: number) => {
  return [`/api/child/${childId}/retention`] as const;
};

export const getGetRetentionQueryOptions = <
  TData = Awaited<ReturnType<typeof getRetention>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRetention>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetRetentionQueryKey(childId);

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getRetention>>> = ({ signal }) =>
    getRetention(childId, { signal, ...requestOptions });

  return {
    queryKey,
    queryFn,
    enabled: childId !== null && childId !== undefined,
    ...queryOptions,
  } as UseQueryOptions<Awaited<ReturnType<typeof getRetention>>, TError, TData> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };
};

export type GetRetentionQueryResult = NonNullable<Awaited<ReturnType<typeof getRetention>>>;
export type GetRetentionQueryError = ErrorType<unknown>;

export function useGetRetention<
  TData = Awaited<ReturnType<typeof getRetention>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRetention>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getRetention>>,
          TError,
          Awaited<ReturnType<typeof getRetention>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetRetention<
  TData = Awaited<ReturnType<typeof getRetention>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRetention>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getRetention>>,
          TError,
          Awaited<ReturnType<typeof getRetention>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetRetention<
  TData = Awaited<ReturnType<typeof getRetention>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRetention>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get for how long a child's conversations are kept
 */

export function useGetRetention<
  TData = Awaited<ReturnType<typeof getRetention>>,
  TError = ErrorType<unknown>,
>(
  childId: number,
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRetention>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetRetentionQueryOptions(childId, options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type chooseRetentionResponse200 = {
  data: Retention;
  status: 200;
};

export type chooseRetentionResponseSuccess = chooseRetentionResponse200 & {
  headers: Headers;
};
export const getChooseRetentionUrl = (childId: number) => {
  return `/api/child/${encodeURIComponent(String(childId))}/retention`;
};

/**
 * A longer time takes effect at once. Requires stepping up for a shorter time (403 otherwise). For a child with other guardians
 * it takes effect once all of them have confirmed it, or seven days after it was shown to each of them; until then it is in
 * `pending`. Choosing another shorter time changes the request: the answers so far are forgotten, and the seven days begin
 * anew. 409 if another guardian's request is pending. Requests about one child can be made or changed at most three times in
 * seven days.
 * @summary Choose for how long a child's conversations are kept
 */
export const chooseRetention = async (
  childId: number,
  chooseRetentionRequest: ChooseRetentionRequest,
  options?: Parameters<typeof http>[1],
): Promise<chooseRetentionResponseSuccess> => {
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
  return http<chooseRetentionResponseSuccess>(getChooseRetentionUrl(childId), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(chooseRetentionRequest),
  });
};

export const getChooseRetentionMutationKey = () => ["chooseRetention"] as const;

export const getChooseRetentionMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof chooseRetention>>,
    TError,
    ChooseRetentionMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof chooseRetention>>,
  TError,
  ChooseRetentionMutationVariables,
  TContext
> => {
  const mutationKey = getChooseRetentionMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof chooseRetention>>,
    ChooseRetentionMutationVariables
  > = (props) => {
    const { childId, data } = props ?? {};

    return chooseRetention(childId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type ChooseRetentionMutationResult = NonNullable<Awaited<ReturnType<typeof chooseRetention>>>;
export type ChooseRetentionMutationBody = ChooseRetentionRequest;
export type ChooseRetentionMutationError = ErrorType<unknown>;
export type ChooseRetentionMutationVariables = { childId: number; data: ChooseRetentionRequest };

/**
 * @summary Choose for how long a child's conversations are kept
 */
export const useChooseRetention = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof chooseRetention>>,
      TError,
      ChooseRetentionMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof chooseRetention>>,
  TError,
  ChooseRetentionMutationVariables,
  TContext
> => {
  return useMutation(getChooseRetentionMutationOptions(options), queryClient);
};
