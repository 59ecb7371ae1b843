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
  AddressLink,
  AddressLinkUsed,
  AskedDigits,
  ClaimedPairing,
  CreatedPairing,
  CreatedRecoveryCodes,
  IssuedIdentity,
  LanguageChoice,
  LinkRequest,
  NewAddressRequest,
  OwnAddress,
  PageAskingDevice,
  PageSignIn,
  Pairing,
  PairingClaim,
  PairingToken,
  RecoveryCodes,
  RecoverySignInRequest,
  SignInMethods,
  SignInRequest,
  SignOutRequest,
  StepUp,
  StepUpRequest,
  SteppedUp,
  TypedDigits,
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

export type requestSignInLinkResponse202 = {
  data: void;
  status: 202;
};

export type requestSignInLinkResponseSuccess = requestSignInLinkResponse202 & {
  headers: Headers;
};
export const getRequestSignInLinkUrl = () => {
  return `/api/auth/link`;
};

/**
 * The response is the same whether or not a guardian has this address.
 * @summary Send a sign-in link by e-mail
 */
export const requestSignInLink = async (
  linkRequest: LinkRequest,
  options?: Parameters<typeof http>[1],
): Promise<requestSignInLinkResponseSuccess> => {
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
  return http<requestSignInLinkResponseSuccess>(getRequestSignInLinkUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(linkRequest),
  });
};

export const getRequestSignInLinkMutationKey = () => ["requestSignInLink"] as const;

export const getRequestSignInLinkMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof requestSignInLink>>,
    TError,
    RequestSignInLinkMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof requestSignInLink>>,
  TError,
  RequestSignInLinkMutationVariables,
  TContext
> => {
  const mutationKey = getRequestSignInLinkMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof requestSignInLink>>,
    RequestSignInLinkMutationVariables
  > = (props) => {
    const { data } = props ?? {};

    return requestSignInLink(data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type RequestSignInLinkMutationResult = NonNullable<Awaited<ReturnType<typeof requestSignInLink>>>;
export type RequestSignInLinkMutationBody = LinkRequest;
export type RequestSignInLinkMutationError = ErrorType<unknown>;
export type RequestSignInLinkMutationVariables = { data: LinkRequest };

/**
 * @summary Send a sign-in link by e-mail
 */
export const useRequestSignInLink = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof requestSignInLink>>,
      TError,
      RequestSignInLinkMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof requestSignInLink>>,
  TError,
  RequestSignInLinkMutationVariables,
  TContext
> => {
  return useMutation(getRequestSignInLinkMutationOptions(options), queryClient);
};
export type signInResponse200 = {
  data: IssuedIdentity;
  status: 200;
};

export type signInResponseSuccess = signInResponse200 & {
  headers: Headers;
};
export const getSignInUrl = () => {
  return `/api/auth/sign-in`;
};

/**
 * Uses the link up and sets the sign-in cookie, which `/auth/token` requires. Same-origin requests only.
 * @summary Complete signing in with a link's token
 */
export const signIn = async (
  signInRequest: SignInRequest,
  options?: Parameters<typeof http>[1],
): Promise<signInResponseSuccess> => {
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
  return http<signInResponseSuccess>(getSignInUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(signInRequest),
  });
};

export type signOutResponse204 = {
  data: void;
  status: 204;
};

export type signOutResponseSuccess = signOutResponse204 & {
  headers: Headers;
};
export const getSignOutUrl = () => {
  return `/api/auth/sign-out`;
};

/**
 * Takes effect at once, also for identity tokens that were issued before. `everywhere` also ends the guardian's links, and
 * the invitations that they made and that have not taken effect. Recovery codes stay valid unless `recovery_codes` is
 * `true`. Same-origin requests only.
 * @summary Sign out here, or everywhere
 */
export const signOut = async (
  signOutRequest: SignOutRequest,
  options?: Parameters<typeof http>[1],
): Promise<signOutResponseSuccess> => {
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
  return http<signOutResponseSuccess>(getSignOutUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(signOutRequest),
  });
};

export type getSignInMethodsResponse200 = {
  data: SignInMethods;
  status: 200;
};

export type getSignInMethodsResponseSuccess = getSignInMethodsResponse200 & {
  headers: Headers;
};
export const getGetSignInMethodsUrl = () => {
  return `/api/auth/methods`;
};

/**
 * @summary Get the ways to sign in
 */
export const getSignInMethods = async (
  options?: Parameters<typeof http>[1],
): Promise<getSignInMethodsResponseSuccess> => {
  return http<getSignInMethodsResponseSuccess>(getGetSignInMethodsUrl(), {
    ...options,
    method: "GET",
  });
};

export const getGetSignInMethodsQueryKey = () => {
  return [`/api/auth/methods`] as const;
};

export const getGetSignInMethodsQueryOptions = <
  TData = Awaited<ReturnType<typeof getSignInMethods>>,
  TError = ErrorType<unknown>,
>(options?: {
  query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSignInMethods>>, TError, TData>>;
  request?: SecondParameter<typeof http>;
}) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetSignInMethodsQueryKey();

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getSignInMethods>>> = ({ signal }) =>
    getSignInMethods({ signal, ...requestOptions });

  return { queryKey, queryFn, ...queryOptions } as UseQueryOptions<
    Awaited<ReturnType<typeof getSignInMethods>>,
    TError,
    TData
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type GetSignInMethodsQueryResult = NonNullable<Awaited<ReturnType<typeof getSignInMethods>>>;
export type GetSignInMethodsQueryError = ErrorType<unknown>;

export function useGetSignInMethods<
  TData = Awaited<ReturnType<typeof getSignInMethods>>,
  TError = ErrorType<unknown>,
>(
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSignInMethods>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getSignInMethods>>,
          TError,
          Awaited<ReturnType<typeof getSignInMethods>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetSignInMethods<
  TData = Awaited<ReturnType<typeof getSignInMethods>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSignInMethods>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getSignInMethods>>,
          TError,
          Awaited<ReturnType<typeof getSignInMethods>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetSignInMethods<
  TData = Awaited<ReturnType<typeof getSignInMethods>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSignInMethods>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get the ways to sign in
 */

export function useGetSignInMethods<
  TData = Awaited<ReturnType<typeof getSignInMethods>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getSignInMethods>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetSignInMethodsQueryOptions(options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type listSignInsResponse200 = {
  data: PageSignIn;
  status: 200;
};

export type listSignInsResponseSuccess = listSignInsResponse200 & {
  headers: Headers;
};
export const getListSignInsUrl = () => {
  return `/api/auth/sign_ins`;
};

/**
 * @summary List one's sign-ins, most recently used first
 */
export const listSignIns = async (
  options?: Parameters<typeof http>[1],
): Promise<listSignInsResponseSuccess> => {
  return http<listSignInsResponseSuccess>(getListSignInsUrl(), {
    ...options,
    method: "GET",
  });
};

export const getListSignInsQueryKey = () => {
  return [`/api/auth/sign_ins`] as const;
};

export const getListSignInsQueryOptions = <
  TData = Awaited<ReturnType<typeof listSignIns>>,
  TError = ErrorType<unknown>,
>(options?: {
  query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listSignIns>>, TError, TData>>;
  request?: SecondParameter<typeof http>;
}) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getListSignInsQueryKey();

  const queryFn: QueryFunction<Awaited<ReturnType<typeof listSignIns>>> = ({ signal }) =>
    listSignIns({ signal, ...requestOptions });

  return { queryKey, queryFn, ...queryOptions } as UseQueryOptions<
    Awaited<ReturnType<typeof listSignIns>>,
    TError,
    TData
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type ListSignInsQueryResult = NonNullable<Awaited<ReturnType<typeof listSignIns>>>;
export type ListSignInsQueryError = ErrorType<unknown>;

export function useListSignIns<TData = Awaited<ReturnType<typeof listSignIns>>, TError = ErrorType<unknown>>(
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof listSignIns>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof listSignIns>>,
          TError,
          Awaited<ReturnType<typeof listSignIns>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListSignIns<TData = Awaited<ReturnType<typeof listSignIns>>, TError = ErrorType<unknown>>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listSignIns>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof listSignIns>>,
          TError,
          Awaited<ReturnType<typeof listSignIns>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListSignIns<TData = Awaited<ReturnType<typeof listSignIns>>, TError = ErrorType<unknown>>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listSignIns>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List one's sign-ins, most recently used first
 */

export function useListSignIns<TData = Awaited<ReturnType<typeof listSignIns>>, TError = ErrorType<unknown>>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listSignIns>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getListSignInsQueryOptions(options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type seeSignInsResponse204 = {
  data: void;
  status: 204;
};

export type seeSignInsResponseSuccess = seeSignInsResponse204 & {
  headers: Headers;
};
export const getSeeSignInsUrl = () => {
  return `/api/auth/sign_ins/seen`;
};

/**
 * If the caller's sign-in is acknowledged and older than a new one, the new one is acknowledged for all of the guardian's
 * devices. If there is no such sign-in, any that began with neither a recovery code nor another device suffices. Otherwise
 * the notice is only dismissed on the caller's device. The notice of new recovery codes is always dismissed only on the
 * caller's device.
 * @summary Acknowledge new sign-ins and new recovery codes
 */
export const seeSignIns = async (
  options?: Parameters<typeof http>[1],
): Promise<seeSignInsResponseSuccess> => {
  return http<seeSignInsResponseSuccess>(getSeeSignInsUrl(), {
    ...options,
    method: "POST",
  });
};

export const getSeeSignInsMutationKey = () => ["seeSignIns"] as const;

export const getSeeSignInsMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<Awaited<ReturnType<typeof seeSignIns>>, TError, void, TContext>;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<Awaited<ReturnType<typeof seeSignIns>>, TError, void, TContext> => {
  const mutationKey = getSeeSignInsMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<Awaited<ReturnType<typeof seeSignIns>>, void> = () => {
    return seeSignIns(requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type SeeSignInsMutationResult = NonNullable<Awaited<ReturnType<typeof seeSignIns>>>;

export type SeeSignInsMutationError = ErrorType<unknown>;

/**
 * @summary Acknowledge new sign-ins and new recovery codes
 */
export const useSeeSignIns = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<Awaited<ReturnType<typeof seeSignIns>>, TError, void, TContext>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<Awaited<ReturnType<typeof seeSignIns>>, TError, void, TContext> => {
  return useMutation(getSeeSignInsMutationOptions(options), queryClient);
};
export type endSignInResponse204 = {
  data: void;
  status: 204;
};

export type endSignInResponseSuccess = endSignInResponse204 & {
  headers: Headers;
};
export const getEndSignInUrl = (signInId: string) => {
  return `/api/auth/sign_ins/${encodeURIComponent(String(signInId))}`;
};

/**
 * Takes effect at once, also for identity tokens that were issued before.
 * @summary End one of one's sign-ins
 */
export const endSignIn = async (
  signInId: string,
  options?: Parameters<typeof http>[1],
): Promise<endSignInResponseSuccess> => {
  return http<endSignInResponseSuccess>(getEndSignInUrl(signInId), {
    ...options,
    method: "DELETE",
  });
};

export const getEndSignInMutationKey = () => ["endSignIn"] as const;

export const getEndSignInMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof endSignIn>>,
    TError,
    EndSignInMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof endSignIn>>,
  TError,
  EndSignInMutationVariables,
  TContext
> => {
  const mutationKey = getEndSignInMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<Awaited<ReturnType<typeof endSignIn>>, EndSignInMutationVariables> = (
    props,
  ) => {
    const { signInId } = props ?? {};

    return endSignIn(signInId, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type EndSignInMutationResult = NonNullable<Awaited<ReturnType<typeof endSignIn>>>;

export type EndSignInMutationError = ErrorType<unknown>;
export type EndSignInMutationVariables = { signInId: string };

/**
 * @summary End one of one's sign-ins
 */
export const useEndSignIn = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof endSignIn>>,
      TError,
      EndSignInMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<Awaited<ReturnType<typeof endSignIn>>, TError, EndSignInMutationVariables, TContext> => {
  return useMutation(getEndSignInMutationOptions(options), queryClient);
};
export type signInWithRecoveryCodeResponse200 = {
  data: IssuedIdentity;
  status: 200;
};

export type signInWithRecoveryCodeResponseSuccess = signInWithRecoveryCodeResponse200 & {
  headers: Headers;
};
export const getSignInWithRecoveryCodeUrl = () => {
  return `/api/auth/recovery`;
};

/**
 * Uses the code up and sets the sign-in cookie, which `/auth/token` requires. Same-origin requests only.
 * @summary Sign in with a recovery code
 */
export const signInWithRecoveryCode = async (
  recoverySignInRequest: RecoverySignInRequest,
  options?: Parameters<typeof http>[1],
): Promise<signInWithRecoveryCodeResponseSuccess> => {
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
  return http<signInWithRecoveryCodeResponseSuccess>(getSignInWithRecoveryCodeUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(recoverySignInRequest),
  });
};

export type getRecoveryCodesResponse200 = {
  data: RecoveryCodes;
  status: 200;
};

export type getRecoveryCodesResponseSuccess = getRecoveryCodesResponse200 & {
  headers: Headers;
};
export const getGetRecoveryCodesUrl = () => {
  return `/api/auth/recovery_codes`;
};

/**
 * @summary Count one's recovery codes
 */
export const getRecoveryCodes = async (
  options?: Parameters<typeof http>[1],
): Promise<getRecoveryCodesResponseSuccess> => {
  return http<getRecoveryCodesResponseSuccess>(getGetRecoveryCodesUrl(), {
    ...options,
    method: "GET",
  });
};

export const getGetRecoveryCodesQueryKey = () => {
  return [`/api/auth/recovery_codes`] as const;
};

export const getGetRecoveryCodesQueryOptions = <
  TData = Awaited<ReturnType<typeof getRecoveryCodes>>,
  TError = ErrorType<unknown>,
>(options?: {
  query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRecoveryCodes>>, TError, TData>>;
  request?: SecondParameter<typeof http>;
}) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetRecoveryCodesQueryKey();

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getRecoveryCodes>>> = ({ signal }) =>
    getRecoveryCodes({ signal, ...requestOptions });

  return { queryKey, queryFn, ...queryOptions } as UseQueryOptions<
    Awaited<ReturnType<typeof getRecoveryCodes>>,
    TError,
    TData
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type GetRecoveryCodesQueryResult = NonNullable<Awaited<ReturnType<typeof getRecoveryCodes>>>;
export type GetRecoveryCodesQueryError = ErrorType<unknown>;

export function useGetRecoveryCodes<
  TData = Awaited<ReturnType<typeof getRecoveryCodes>>,
  TError = ErrorType<unknown>,
>(
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRecoveryCodes>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getRecoveryCodes>>,
          TError,
          Awaited<ReturnType<typeof getRecoveryCodes>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetRecoveryCodes<
  TData = Awaited<ReturnType<typeof getRecoveryCodes>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRecoveryCodes>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getRecoveryCodes>>,
          TError,
          Awaited<ReturnType<typeof getRecoveryCodes>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetRecoveryCodes<
  TData = Awaited<ReturnType<typeof getRecoveryCodes>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRecoveryCodes>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Count one's recovery codes
 */

export function useGetRecoveryCodes<
  TData = Awaited<ReturnType<typeof getRecoveryCodes>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getRecoveryCodes>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetRecoveryCodesQueryOptions(options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type makeRecoveryCodesResponse201 = {
  data: CreatedRecoveryCodes;
  status: 201;
};

export type makeRecoveryCodesResponseSuccess = makeRecoveryCodesResponse201 & {
  headers: Headers;
};
export const getMakeRecoveryCodesUrl = () => {
  return `/api/auth/recovery_codes`;
};

/**
 * Invalidates the old ones. Requires stepping up, unless the guardian never had codes and signed in within the last ten
 * minutes; otherwise 403. At most three times a day, otherwise 429; signing out everywhere resets the count.
 * @summary Create new recovery codes
 */
export const makeRecoveryCodes = async (
  options?: Parameters<typeof http>[1],
): Promise<makeRecoveryCodesResponseSuccess> => {
  return http<makeRecoveryCodesResponseSuccess>(getMakeRecoveryCodesUrl(), {
    ...options,
    method: "POST",
  });
};

export const getMakeRecoveryCodesMutationKey = () => ["makeRecoveryCodes"] as const;

export const getMakeRecoveryCodesMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<Awaited<ReturnType<typeof makeRecoveryCodes>>, TError, void, TContext>;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<Awaited<ReturnType<typeof makeRecoveryCodes>>, TError, void, TContext> => {
  const mutationKey = getMakeRecoveryCodesMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<Awaited<ReturnType<typeof makeRecoveryCodes>>, void> = () => {
    return makeRecoveryCodes(requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type MakeRecoveryCodesMutationResult = NonNullable<Awaited<ReturnType<typeof makeRecoveryCodes>>>;

export type MakeRecoveryCodesMutationError = ErrorType<unknown>;

/**
 * @summary Create new recovery codes
 */
export const useMakeRecoveryCodes = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<Awaited<ReturnType<typeof makeRecoveryCodes>>, TError, void, TContext>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<Awaited<ReturnType<typeof makeRecoveryCodes>>, TError, void, TContext> => {
  return useMutation(getMakeRecoveryCodesMutationOptions(options), queryClient);
};
export type getStepUpResponse200 = {
  data: StepUp;
  status: 200;
};

export type getStepUpResponseSuccess = getStepUpResponse200 & {
  headers: Headers;
};
export const getGetStepUpUrl = () => {
  return `/api/auth/step_up`;
};

/**
 * @summary Get the step-up status and the available ways to step up
 */
export const getStepUp = async (options?: Parameters<typeof http>[1]): Promise<getStepUpResponseSuccess> => {
  return http<getStepUpResponseSuccess>(getGetStepUpUrl(), {
    ...options,
    method: "GET",
  });
};

export const getGetStepUpQueryKey = () => {
  return [`/api/auth/step_up`] as const;
};

export const getGetStepUpQueryOptions = <
  TData = Awaited<ReturnType<typeof getStepUp>>,
  TError = ErrorType<unknown>,
>(options?: {
  query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getStepUp>>, TError, TData>>;
  request?: SecondParameter<typeof http>;
}) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetStepUpQueryKey();

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getStepUp>>> = ({ signal }) =>
    getStepUp({ signal, ...requestOptions });

  return { queryKey, queryFn, ...queryOptions } as UseQueryOptions<
    Awaited<ReturnType<typeof getStepUp>>,
    TError,
    TData
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type GetStepUpQueryResult = NonNullable<Awaited<ReturnType<typeof getStepUp>>>;
export type GetStepUpQueryError = ErrorType<unknown>;

export function useGetStepUp<TData = Awaited<ReturnType<typeof getStepUp>>, TError = ErrorType<unknown>>(
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getStepUp>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getStepUp>>,
          TError,
          Awaited<ReturnType<typeof getStepUp>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetStepUp<TData = Awaited<ReturnType<typeof getStepUp>>, TError = ErrorType<unknown>>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getStepUp>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getStepUp>>,
          TError,
          Awaited<ReturnType<typeof getStepUp>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetStepUp<TData = Awaited<ReturnType<typeof getStepUp>>, TError = ErrorType<unknown>>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getStepUp>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get the step-up status and the available ways to step up
 */

export function useGetStepUp<TData = Awaited<ReturnType<typeof getStepUp>>, TError = ErrorType<unknown>>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getStepUp>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetStepUpQueryOptions(options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type stepUpResponse200 = {
  data: SteppedUp;
  status: 200;
};

export type stepUpResponseSuccess = stepUpResponse200 & {
  headers: Headers;
};
export const getStepUpUrl = () => {
  return `/api/auth/step_up`;
};

/**
 * For ten minutes, this sign-in may then call the operations that require stepping up.
 * @summary Step up with a code
 */
export const stepUp = async (
  stepUpRequest: StepUpRequest,
  options?: Parameters<typeof http>[1],
): Promise<stepUpResponseSuccess> => {
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
  return http<stepUpResponseSuccess>(getStepUpUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(stepUpRequest),
  });
};

export const getStepUpMutationKey = () => ["stepUp"] as const;

export const getStepUpMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof stepUp>>,
    TError,
    StepUpMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<Awaited<ReturnType<typeof stepUp>>, TError, StepUpMutationVariables, TContext> => {
  const mutationKey = getStepUpMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<Awaited<ReturnType<typeof stepUp>>, StepUpMutationVariables> = (
    props,
  ) => {
    const { data } = props ?? {};

    return stepUp(data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type StepUpMutationResult = NonNullable<Awaited<ReturnType<typeof stepUp>>>;
export type StepUpMutationBody = StepUpRequest;
export type StepUpMutationError = ErrorType<unknown>;
export type StepUpMutationVariables = { data: StepUpRequest };

/**
 * @summary Step up with a code
 */
export const useStepUp = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof stepUp>>,
      TError,
      StepUpMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<Awaited<ReturnType<typeof stepUp>>, TError, StepUpMutationVariables, TContext> => {
  return useMutation(getStepUpMutationOptions(options), queryClient);
};
export type sendStepUpEmailResponse204 = {
  data: void;
  status: 204;
};

export type sendStepUpEmailResponseSuccess = sendStepUpEmailResponse204 & {
  headers: Headers;
};
export const getSendStepUpEmailUrl = () => {
  return `/api/auth/step_up/email`;
};

/**
 * Responds once the mail server has accepted the e-mail. 422 if the server sends no e-mails.
 * @summary Send an e-mail with a code to step up
 */
export const sendStepUpEmail = async (
  options?: Parameters<typeof http>[1],
): Promise<sendStepUpEmailResponseSuccess> => {
  return http<sendStepUpEmailResponseSuccess>(getSendStepUpEmailUrl(), {
    ...options,
    method: "POST",
  });
};

export const getSendStepUpEmailMutationKey = () => ["sendStepUpEmail"] as const;

export const getSendStepUpEmailMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<Awaited<ReturnType<typeof sendStepUpEmail>>, TError, void, TContext>;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<Awaited<ReturnType<typeof sendStepUpEmail>>, TError, void, TContext> => {
  const mutationKey = getSendStepUpEmailMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<Awaited<ReturnType<typeof sendStepUpEmail>>, void> = () => {
    return sendStepUpEmail(requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type SendStepUpEmailMutationResult = NonNullable<Awaited<ReturnType<typeof sendStepUpEmail>>>;

export type SendStepUpEmailMutationError = ErrorType<unknown>;

/**
 * @summary Send an e-mail with a code to step up
 */
export const useSendStepUpEmail = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<Awaited<ReturnType<typeof sendStepUpEmail>>, TError, void, TContext>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<Awaited<ReturnType<typeof sendStepUpEmail>>, TError, void, TContext> => {
  return useMutation(getSendStepUpEmailMutationOptions(options), queryClient);
};
export type beginPairingResponse201 = {
  data: CreatedPairing;
  status: 201;
};

export type beginPairingResponseSuccess = beginPairingResponse201 & {
  headers: Headers;
};
export const getBeginPairingUrl = () => {
  return `/api/auth/pairing`;
};

/**
 * Requires stepping up (403 otherwise). Ends an earlier pairing of this sign-in. The code works for two minutes.
 * @summary Show a QR code that signs another device in
 */
export const beginPairing = async (
  options?: Parameters<typeof http>[1],
): Promise<beginPairingResponseSuccess> => {
  return http<beginPairingResponseSuccess>(getBeginPairingUrl(), {
    ...options,
    method: "POST",
  });
};

export const getBeginPairingMutationKey = () => ["beginPairing"] as const;

export const getBeginPairingMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<Awaited<ReturnType<typeof beginPairing>>, TError, void, TContext>;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<Awaited<ReturnType<typeof beginPairing>>, TError, void, TContext> => {
  const mutationKey = getBeginPairingMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<Awaited<ReturnType<typeof beginPairing>>, void> = () => {
    return beginPairing(requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type BeginPairingMutationResult = NonNullable<Awaited<ReturnType<typeof beginPairing>>>;

export type BeginPairingMutationError = ErrorType<unknown>;

/**
 * @summary Show a QR code that signs another device in
 */
export const useBeginPairing = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<Awaited<ReturnType<typeof beginPairing>>, TError, void, TContext>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<Awaited<ReturnType<typeof beginPairing>>, TError, void, TContext> => {
  return useMutation(getBeginPairingMutationOptions(options), queryClient);
};
export type getPairingResponse200 = {
  data: Pairing;
  status: 200;
};

export type getPairingResponseSuccess = getPairingResponse200 & {
  headers: Headers;
};
export const getGetPairingUrl = () => {
  return `/api/auth/pairing`;
};

/**
 * @summary Get the status of the pairing
 */
export const getPairing = async (
  options?: Parameters<typeof http>[1],
): Promise<getPairingResponseSuccess> => {
  return http<getPairingResponseSuccess>(getGetPairingUrl(), {
    ...options,
    method: "GET",
  });
};

export const getGetPairingQueryKey = () => {
  return [`/api/auth/pairing`] as const;
};

export const getGetPairingQueryOptions = <
  TData = Awaited<ReturnType<typeof getPairing>>,
  TError = ErrorType<unknown>,
>(options?: {
  query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getPairing>>, TError, TData>>;
  request?: SecondParameter<typeof http>;
}) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetPairingQueryKey();

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getPairing>>> = ({ signal }) =>
    getPairing({ signal, ...requestOptions });

  return { queryKey, queryFn, ...queryOptions } as UseQueryOptions<
    Awaited<ReturnType<typeof getPairing>>,
    TError,
    TData
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type GetPairingQueryResult = NonNullable<Awaited<ReturnType<typeof getPairing>>>;
export type GetPairingQueryError = ErrorType<unknown>;

export function useGetPairing<TData = Awaited<ReturnType<typeof getPairing>>, TError = ErrorType<unknown>>(
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getPairing>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getPairing>>,
          TError,
          Awaited<ReturnType<typeof getPairing>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetPairing<TData = Awaited<ReturnType<typeof getPairing>>, TError = ErrorType<unknown>>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getPairing>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getPairing>>,
          TError,
          Awaited<ReturnType<typeof getPairing>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetPairing<TData = Awaited<ReturnType<typeof getPairing>>, TError = ErrorType<unknown>>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getPairing>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get the status of the pairing
 */

export function useGetPairing<TData = Awaited<ReturnType<typeof getPairing>>, TError = ErrorType<unknown>>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getPairing>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetPairingQueryOptions(options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type endPairingResponse204 = {
  data: void;
  status: 204;
};

export type endPairingResponseSuccess = endPairingResponse204 & {
  headers: Headers;
};
export const getEndPairingUrl = () => {
  return `/api/auth/pairing`;
};

/**
 * @summary End the pairing
 */
export const endPairing = async (
  options?: Parameters<typeof http>[1],
): Promise<endPairingResponseSuccess> => {
  return http<endPairingResponseSuccess>(getEndPairingUrl(), {
    ...options,
    method: "DELETE",
  });
};

export const getEndPairingMutationKey = () => ["endPairing"] as const;

export const getEndPairingMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<Awaited<ReturnType<typeof endPairing>>, TError, void, TContext>;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<Awaited<ReturnType<typeof endPairing>>, TError, void, TContext> => {
  const mutationKey = getEndPairingMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<Awaited<ReturnType<typeof endPairing>>, void> = () => {
    return endPairing(requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type EndPairingMutationResult = NonNullable<Awaited<ReturnType<typeof endPairing>>>;

export type EndPairingMutationError = ErrorType<unknown>;

/**
 * @summary End the pairing
 */
export const useEndPairing = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<Awaited<ReturnType<typeof endPairing>>, TError, void, TContext>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<Awaited<ReturnType<typeof endPairing>>, TError, void, TContext> => {
  return useMutation(getEndPairingMutationOptions(options), queryClient);
};
export type confirmPairingResponse204 = {
  data: void;
  status: 204;
};

export type confirmPairingResponseSuccess = confirmPairingResponse204 & {
  headers: Headers;
};
export const getConfirmPairingUrl = () => {
  return `/api/auth/pairing/confirmation`;
};

/**
 * Requires the digits that it shows. The third wrong try ends the pairing.
 * @summary Confirm the other device's sign-in
 */
export const confirmPairing = async (
  typedDigits: TypedDigits,
  options?: Parameters<typeof http>[1],
): Promise<confirmPairingResponseSuccess> => {
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
  return http<confirmPairingResponseSuccess>(getConfirmPairingUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(typedDigits),
  });
};

export const getConfirmPairingMutationKey = () => ["confirmPairing"] as const;

export const getConfirmPairingMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof confirmPairing>>,
    TError,
    ConfirmPairingMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof confirmPairing>>,
  TError,
  ConfirmPairingMutationVariables,
  TContext
> => {
  const mutationKey = getConfirmPairingMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof confirmPairing>>,
    ConfirmPairingMutationVariables
  > = (props) => {
    const { data } = props ?? {};

    return confirmPairing(data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type ConfirmPairingMutationResult = NonNullable<Awaited<ReturnType<typeof confirmPairing>>>;
export type ConfirmPairingMutationBody = TypedDigits;
export type ConfirmPairingMutationError = ErrorType<unknown>;
export type ConfirmPairingMutationVariables = { data: TypedDigits };

/**
 * @summary Confirm the other device's sign-in
 */
export const useConfirmPairing = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof confirmPairing>>,
      TError,
      ConfirmPairingMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof confirmPairing>>,
  TError,
  ConfirmPairingMutationVariables,
  TContext
> => {
  return useMutation(getConfirmPairingMutationOptions(options), queryClient);
};
export type claimPairingResponse200 = {
  data: ClaimedPairing;
  status: 200;
};

export type claimPairingResponseSuccess = claimPairingResponse200 & {
  headers: Headers;
};
export const getClaimPairingUrl = () => {
  return `/api/auth/pairing/claim`;
};

/**
 * If a second device claims the same code, the pairing ends for both. Same-origin requests only.
 * @summary Claim a scanned QR code
 */
export const claimPairing = async (
  pairingToken: PairingToken,
  options?: Parameters<typeof http>[1],
): Promise<claimPairingResponseSuccess> => {
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
  return http<claimPairingResponseSuccess>(getClaimPairingUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(pairingToken),
  });
};

export const getClaimPairingMutationKey = () => ["claimPairing"] as const;

export const getClaimPairingMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof claimPairing>>,
    TError,
    ClaimPairingMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof claimPairing>>,
  TError,
  ClaimPairingMutationVariables,
  TContext
> => {
  const mutationKey = getClaimPairingMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof claimPairing>>,
    ClaimPairingMutationVariables
  > = (props) => {
    const { data } = props ?? {};

    return claimPairing(data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type ClaimPairingMutationResult = NonNullable<Awaited<ReturnType<typeof claimPairing>>>;
export type ClaimPairingMutationBody = PairingToken;
export type ClaimPairingMutationError = ErrorType<unknown>;
export type ClaimPairingMutationVariables = { data: PairingToken };

/**
 * @summary Claim a scanned QR code
 */
export const useClaimPairing = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof claimPairing>>,
      TError,
      ClaimPairingMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof claimPairing>>,
  TError,
  ClaimPairingMutationVariables,
  TContext
> => {
  return useMutation(getClaimPairingMutationOptions(options), queryClient);
};
export type completePairingResponse200 = {
  data: IssuedIdentity;
  status: 200;
};

export type completePairingResponse202 = {
  data: void;
  status: 202;
};

export type completePairingResponseSuccess = (completePairingResponse200 | completePairingResponse202) & {
  headers: Headers;
};
export const getCompletePairingUrl = () => {
  return `/api/auth/pairing/completion`;
};

/**
 * Sets the sign-in cookie, which `/auth/token` requires, once the digits were typed on the other device. It doesn't count as
 * stepping up. Same-origin requests only.
 * @summary Sign in with a claimed QR code
 */
export const completePairing = async (
  pairingClaim: PairingClaim,
  options?: Parameters<typeof http>[1],
): Promise<completePairingResponseSuccess> => {
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
  return http<completePairingResponseSuccess>(getCompletePairingUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(pairingClaim),
  });
};

export type askOtherDeviceResponse201 = {
  data: AskedDigits;
  status: 201;
};

export type askOtherDeviceResponseSuccess = askOtherDeviceResponse201 & {
  headers: Headers;
};
export const getAskOtherDeviceUrl = () => {
  return `/api/auth/step_up/other_device`;
};

/**
 * Returns digits, to be typed there. Ends an earlier request of this sign-in. The digits work for two minutes. 422 if there
 * is no other device on which the guardian has been signed in for over a day.
 * @summary Ask one's other devices for a step-up
 */
export const askOtherDevice = async (
  options?: Parameters<typeof http>[1],
): Promise<askOtherDeviceResponseSuccess> => {
  return http<askOtherDeviceResponseSuccess>(getAskOtherDeviceUrl(), {
    ...options,
    method: "POST",
  });
};

export const getAskOtherDeviceMutationKey = () => ["askOtherDevice"] as const;

export const getAskOtherDeviceMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<Awaited<ReturnType<typeof askOtherDevice>>, TError, void, TContext>;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<Awaited<ReturnType<typeof askOtherDevice>>, TError, void, TContext> => {
  const mutationKey = getAskOtherDeviceMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<Awaited<ReturnType<typeof askOtherDevice>>, void> = () => {
    return askOtherDevice(requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type AskOtherDeviceMutationResult = NonNullable<Awaited<ReturnType<typeof askOtherDevice>>>;

export type AskOtherDeviceMutationError = ErrorType<unknown>;

/**
 * @summary Ask one's other devices for a step-up
 */
export const useAskOtherDevice = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<Awaited<ReturnType<typeof askOtherDevice>>, TError, void, TContext>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<Awaited<ReturnType<typeof askOtherDevice>>, TError, void, TContext> => {
  return useMutation(getAskOtherDeviceMutationOptions(options), queryClient);
};
export type listAskingDevicesResponse200 = {
  data: PageAskingDevice;
  status: 200;
};

export type listAskingDevicesResponseSuccess = listAskingDevicesResponse200 & {
  headers: Headers;
};
export const getListAskingDevicesUrl = () => {
  return `/api/auth/asking_devices`;
};

/**
 * Empty on a device on which the guardian has been signed in for less than a day: it may not confirm.
 * @summary List one's other devices that ask for a step-up
 */
export const listAskingDevices = async (
  options?: Parameters<typeof http>[1],
): Promise<listAskingDevicesResponseSuccess> => {
  return http<listAskingDevicesResponseSuccess>(getListAskingDevicesUrl(), {
    ...options,
    method: "GET",
  });
};

export const getListAskingDevicesQueryKey = () => {
  return [`/api/auth/asking_devices`] as const;
};

export const getListAskingDevicesQueryOptions = <
  TData = Awaited<ReturnType<typeof listAskingDevices>>,
  TError = ErrorType<unknown>,
>(options?: {
  query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listAskingDevices>>, TError, TData>>;
  request?: SecondParameter<typeof http>;
}) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getListAskingDevicesQueryKey();

  const queryFn: QueryFunction<Awaited<ReturnType<typeof listAskingDevices>>> = ({ signal }) =>
    listAskingDevices({ signal, ...requestOptions });

  return { queryKey, queryFn, ...queryOptions } as UseQueryOptions<
    Awaited<ReturnType<typeof listAskingDevices>>,
    TError,
    TData
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type ListAskingDevicesQueryResult = NonNullable<Awaited<ReturnType<typeof listAskingDevices>>>;
export type ListAskingDevicesQueryError = ErrorType<unknown>;

export function useListAskingDevices<
  TData = Awaited<ReturnType<typeof listAskingDevices>>,
  TError = ErrorType<unknown>,
>(
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof listAskingDevices>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof listAskingDevices>>,
          TError,
          Awaited<ReturnType<typeof listAskingDevices>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListAskingDevices<
  TData = Awaited<ReturnType<typeof listAskingDevices>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listAskingDevices>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof listAskingDevices>>,
          TError,
          Awaited<ReturnType<typeof listAskingDevices>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useListAskingDevices<
  TData = Awaited<ReturnType<typeof listAskingDevices>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listAskingDevices>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary List one's other devices that ask for a step-up
 */

export function useListAskingDevices<
  TData = Awaited<ReturnType<typeof listAskingDevices>>,
  TError = ErrorType<unknown>,
>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof listAskingDevices>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getListAskingDevicesQueryOptions(options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type answerAskingDeviceResponse204 = {
  data: void;
  status: 204;
};

export type answerAskingDeviceResponseSuccess = answerAskingDeviceResponse204 & {
  headers: Headers;
};
export const getAnswerAskingDeviceUrl = (signInId: string) => {
  return `/api/auth/asking_devices/${encodeURIComponent(String(signInId))}`;
};

/**
 * Requires the digits that it shows. The third wrong try ends the request.
 * @summary Step another device up
 */
export const answerAskingDevice = async (
  signInId: string,
  typedDigits: TypedDigits,
  options?: Parameters<typeof http>[1],
): Promise<answerAskingDeviceResponseSuccess> => {
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
  return http<answerAskingDeviceResponseSuccess>(getAnswerAskingDeviceUrl(signInId), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(typedDigits),
  });
};

export const getAnswerAskingDeviceMutationKey = () => ["answerAskingDevice"] as const;

export const getAnswerAskingDeviceMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof answerAskingDevice>>,
    TError,
    AnswerAskingDeviceMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof answerAskingDevice>>,
  TError,
  AnswerAskingDeviceMutationVariables,
  TContext
> => {
  const mutationKey = getAnswerAskingDeviceMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof answerAskingDevice>>,
    AnswerAskingDeviceMutationVariables
  > = (props) => {
    const { signInId, data } = props ?? {};

    return answerAskingDevice(signInId, data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type AnswerAskingDeviceMutationResult = NonNullable<Awaited<ReturnType<typeof answerAskingDevice>>>;
export type AnswerAskingDeviceMutationBody = TypedDigits;
export type AnswerAskingDeviceMutationError = ErrorType<unknown>;
export type AnswerAskingDeviceMutationVariables = { signInId: string; data: TypedDigits };

/**
 * @summary Step another device up
 */
export const useAnswerAskingDevice = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof answerAskingDevice>>,
      TError,
      AnswerAskingDeviceMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof answerAskingDevice>>,
  TError,
  AnswerAskingDeviceMutationVariables,
  TContext
> => {
  return useMutation(getAnswerAskingDeviceMutationOptions(options), queryClient);
};
export type refuseAskingDeviceResponse204 = {
  data: void;
  status: 204;
};

export type refuseAskingDeviceResponseSuccess = refuseAskingDeviceResponse204 & {
  headers: Headers;
};
export const getRefuseAskingDeviceUrl = (signInId: string) => {
  return `/api/auth/asking_devices/${encodeURIComponent(String(signInId))}`;
};

/**
 * @summary Refuse another device's step-up
 */
export const refuseAskingDevice = async (
  signInId: string,
  options?: Parameters<typeof http>[1],
): Promise<refuseAskingDeviceResponseSuccess> => {
  return http<refuseAskingDeviceResponseSuccess>(getRefuseAskingDeviceUrl(signInId), {
    ...options,
    method: "DELETE",
  });
};

export const getRefuseAskingDeviceMutationKey = () => ["refuseAskingDevice"] as const;

export const getRefuseAskingDeviceMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof refuseAskingDevice>>,
    TError,
    RefuseAskingDeviceMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof refuseAskingDevice>>,
  TError,
  RefuseAskingDeviceMutationVariables,
  TContext
> => {
  const mutationKey = getRefuseAskingDeviceMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof refuseAskingDevice>>,
    RefuseAskingDeviceMutationVariables
  > = (props) => {
    const { signInId } = props ?? {};

    return refuseAskingDevice(signInId, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type RefuseAskingDeviceMutationResult = NonNullable<Awaited<ReturnType<typeof refuseAskingDevice>>>;

export type RefuseAskingDeviceMutationError = ErrorType<unknown>;
export type RefuseAskingDeviceMutationVariables = { signInId: string };

/**
 * @summary Refuse another device's step-up
 */
export const useRefuseAskingDevice = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof refuseAskingDevice>>,
      TError,
      RefuseAskingDeviceMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof refuseAskingDevice>>,
  TError,
  RefuseAskingDeviceMutationVariables,
  TContext
> => {
  return useMutation(getRefuseAskingDeviceMutationOptions(options), queryClient);
};
export type getAddressResponse200 = {
  data: OwnAddress;
  status: 200;
};

export type getAddressResponseSuccess = getAddressResponse200 & {
  headers: Headers;
};
export const getGetAddressUrl = () => {
  return `/api/auth/address`;
};

/**
 * @summary Get one's address and its pending change
 */
export const getAddress = async (
  options?: Parameters<typeof http>[1],
): Promise<getAddressResponseSuccess> => {
  return http<getAddressResponseSuccess>(getGetAddressUrl(), {
    ...options,
    method: "GET",
  });
};

export const getGetAddressQueryKey = () => {
  return [`/api/auth/address`] as const;
};

export const getGetAddressQueryOptions = <
  TData = Awaited<ReturnType<typeof getAddress>>,
  TError = ErrorType<unknown>,
>(options?: {
  query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getAddress>>, TError, TData>>;
  request?: SecondParameter<typeof http>;
}) => {
  const { query: queryOptions, request: requestOptions } = options ?? {};

  const queryKey = queryOptions?.queryKey ?? getGetAddressQueryKey();

  const queryFn: QueryFunction<Awaited<ReturnType<typeof getAddress>>> = ({ signal }) =>
    getAddress({ signal, ...requestOptions });

  return { queryKey, queryFn, ...queryOptions } as UseQueryOptions<
    Awaited<ReturnType<typeof getAddress>>,
    TError,
    TData
  > & { queryKey: DataTag<QueryKey, TData, TError> };
};

export type GetAddressQueryResult = NonNullable<Awaited<ReturnType<typeof getAddress>>>;
export type GetAddressQueryError = ErrorType<unknown>;

export function useGetAddress<TData = Awaited<ReturnType<typeof getAddress>>, TError = ErrorType<unknown>>(
  options: {
    query: Partial<UseQueryOptions<Awaited<ReturnType<typeof getAddress>>, TError, TData>> &
      Pick<
        DefinedInitialDataOptions<
          Awaited<ReturnType<typeof getAddress>>,
          TError,
          Awaited<ReturnType<typeof getAddress>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): DefinedUseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetAddress<TData = Awaited<ReturnType<typeof getAddress>>, TError = ErrorType<unknown>>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getAddress>>, TError, TData>> &
      Pick<
        UndefinedInitialDataOptions<
          Awaited<ReturnType<typeof getAddress>>,
          TError,
          Awaited<ReturnType<typeof getAddress>>
        >,
        "initialData"
      >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
export function useGetAddress<TData = Awaited<ReturnType<typeof getAddress>>, TError = ErrorType<unknown>>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getAddress>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> };
/**
 * @summary Get one's address and its pending change
 */

export function useGetAddress<TData = Awaited<ReturnType<typeof getAddress>>, TError = ErrorType<unknown>>(
  options?: {
    query?: Partial<UseQueryOptions<Awaited<ReturnType<typeof getAddress>>, TError, TData>>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseQueryResult<TData, TError> & { queryKey: DataTag<QueryKey, TData, TError> } {
  const queryOptions = getGetAddressQueryOptions(options);

  const query = useQuery(queryOptions, queryClient) as UseQueryResult<TData, TError> & {
    queryKey: DataTag<QueryKey, TData, TError>;
  };

  return withQueryKey(query, queryOptions.queryKey);
}

export type askForAddressResponse204 = {
  data: void;
  status: 204;
};

export type askForAddressResponseSuccess = askForAddressResponse204 & {
  headers: Headers;
};
export const getAskForAddressUrl = () => {
  return `/api/auth/address`;
};

/**
 * Requires stepping up (403 otherwise). The change takes effect once the link in the e-mail to the new address was used, and
 * 24 hours have passed without a cancellation from the old address. It replaces an earlier request. If another guardian has
 * the new address, the response is the same and nothing changes. 422 if the server sends no e-mails.
 * @summary Request a change of one's address
 */
export const askForAddress = async (
  newAddressRequest: NewAddressRequest,
  options?: Parameters<typeof http>[1],
): Promise<askForAddressResponseSuccess> => {
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
  return http<askForAddressResponseSuccess>(getAskForAddressUrl(), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(newAddressRequest),
  });
};

export const getAskForAddressMutationKey = () => ["askForAddress"] as const;

export const getAskForAddressMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof askForAddress>>,
    TError,
    AskForAddressMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof askForAddress>>,
  TError,
  AskForAddressMutationVariables,
  TContext
> => {
  const mutationKey = getAskForAddressMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof askForAddress>>,
    AskForAddressMutationVariables
  > = (props) => {
    const { data } = props ?? {};

    return askForAddress(data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type AskForAddressMutationResult = NonNullable<Awaited<ReturnType<typeof askForAddress>>>;
export type AskForAddressMutationBody = NewAddressRequest;
export type AskForAddressMutationError = ErrorType<unknown>;
export type AskForAddressMutationVariables = { data: NewAddressRequest };

/**
 * @summary Request a change of one's address
 */
export const useAskForAddress = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof askForAddress>>,
      TError,
      AskForAddressMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof askForAddress>>,
  TError,
  AskForAddressMutationVariables,
  TContext
> => {
  return useMutation(getAskForAddressMutationOptions(options), queryClient);
};
export type stopAddressChangeResponse204 = {
  data: void;
  status: 204;
};

export type stopAddressChangeResponseSuccess = stopAddressChangeResponse204 & {
  headers: Headers;
};
export const getStopAddressChangeUrl = () => {
  return `/api/auth/address`;
};

/**
 * Does nothing if no change is pending.
 * @summary Cancel the change of one's address
 */
export const stopAddressChange = async (
  options?: Parameters<typeof http>[1],
): Promise<stopAddressChangeResponseSuccess> => {
  return http<stopAddressChangeResponseSuccess>(getStopAddressChangeUrl(), {
    ...options,
    method: "DELETE",
  });
};

export const getStopAddressChangeMutationKey = () => ["stopAddressChange"] as const;

export const getStopAddressChangeMutationOptions = <
  TError = ErrorType<unknown>,
  TContext = unknown,
>(options?: {
  mutation?: UseMutationOptions<Awaited<ReturnType<typeof stopAddressChange>>, TError, void, TContext>;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<Awaited<ReturnType<typeof stopAddressChange>>, TError, void, TContext> => {
  const mutationKey = getStopAddressChangeMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<Awaited<ReturnType<typeof stopAddressChange>>, void> = () => {
    return stopAddressChange(requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type StopAddressChangeMutationResult = NonNullable<Awaited<ReturnType<typeof stopAddressChange>>>;

export type StopAddressChangeMutationError = ErrorType<unknown>;

/**
 * @summary Cancel the change of one's address
 */
export const useStopAddressChange = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<Awaited<ReturnType<typeof stopAddressChange>>, TError, void, TContext>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<Awaited<ReturnType<typeof stopAddressChange>>, TError, void, TContext> => {
  return useMutation(getStopAddressChangeMutationOptions(options), queryClient);
};
export type replaceLanguageResponse204 = {
  data: void;
  status: 204;
};

export type replaceLanguageResponseSuccess = replaceLanguageResponse204 & {
  headers: Headers;
};
export const getReplaceLanguageUrl = () => {
  return `/api/auth/language`;
};

/**
 * Until one is chosen, they are in the language of the browser that the guardian first signed in with.
 * @summary Choose the language of e-mails and notifications
 */
export const replaceLanguage = async (
  languageChoice: LanguageChoice,
  options?: Parameters<typeof http>[1],
): Promise<replaceLanguageResponseSuccess> => {
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
  return http<replaceLanguageResponseSuccess>(getReplaceLanguageUrl(), {
    ...options,
    method: "PUT",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(languageChoice),
  });
};

export type useAddressLinkResponse200 = {
  data: AddressLinkUsed;
  status: 200;
};

export type useAddressLinkResponseSuccess = useAddressLinkResponse200 & {
  headers: Headers;
};
export const getUseAddressLinkUrl = () => {
  return `/api/auth/email`;
};

/**
 * Confirms the new address, or cancels the change. It signs nobody in. Same-origin requests only.
 * @summary Use a link from an e-mail about an address change
 */
export const useAddressLink = async (
  addressLink: AddressLink,
  options?: Parameters<typeof http>[1],
): Promise<useAddressLinkResponseSuccess> => {
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
  return http<useAddressLinkResponseSuccess>(getUseAddressLinkUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(addressLink),
  });
};

export const getUseAddressLinkMutationKey = () => ["useAddressLink"] as const;

export const getUseAddressLinkMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<
    Awaited<ReturnType<typeof useAddressLink>>,
    TError,
    UseAddressLinkMutationVariables,
    TContext
  >;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<
  Awaited<ReturnType<typeof useAddressLink>>,
  TError,
  UseAddressLinkMutationVariables,
  TContext
> => {
  const mutationKey = getUseAddressLinkMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<
    Awaited<ReturnType<typeof useAddressLink>>,
    UseAddressLinkMutationVariables
  > = (props) => {
    const { data } = props ?? {};

    return useAddressLink(data, requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type UseAddressLinkMutationResult = NonNullable<Awaited<ReturnType<typeof useAddressLink>>>;
export type UseAddressLinkMutationBody = AddressLink;
export type UseAddressLinkMutationError = ErrorType<unknown>;
export type UseAddressLinkMutationVariables = { data: AddressLink };

/**
 * @summary Use a link from an e-mail about an address change
 */
export const useUseAddressLink = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<
      Awaited<ReturnType<typeof useAddressLink>>,
      TError,
      UseAddressLinkMutationVariables,
      TContext
    >;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<
  Awaited<ReturnType<typeof useAddressLink>>,
  TError,
  UseAddressLinkMutationVariables,
  TContext
> => {
  return useMutation(getUseAddressLinkMutationOptions(options), queryClient);
};
