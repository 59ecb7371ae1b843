import { useMutation } from "@tanstack/react-query";
import type {
  MutationFunction,
  QueryClient,
  UseMutationOptions,
  UseMutationResult,
} from "@tanstack/react-query";

import type { IssuedIdentity, SetupRequest, SetupSignInRequest } from "../porchlight.schemas.ts";

import { http } from "../../../http.ts";
import type { ErrorType } from "../../../http.ts";

type SecondParameter<T extends (...args: never) => unknown> = Parameters<T>[1];

export type beginSetupResponse201 = {
  data: IssuedIdentity;
  status: 201;
};

export type beginSetupResponseSuccess = beginSetupResponse201 & {
  headers: Headers;
};
export const getBeginSetupUrl = () => {
  return `/api/setup`;
};

/**
 * Adds the first guardian and the children, and sets the sign-in cookie, which `/auth/token` requires. 401 unless it is the
 * current link; 409 if somebody has begun with it. Same-origin requests only.
 * @summary Begin the setup
 */
export const beginSetup = async (
  setupRequest: SetupRequest,
  options?: Parameters<typeof http>[1],
): Promise<beginSetupResponseSuccess> => {
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
  return http<beginSetupResponseSuccess>(getBeginSetupUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(setupRequest),
  });
};

export type signInWithSetupLinkResponse200 = {
  data: IssuedIdentity;
  status: 200;
};

export type signInWithSetupLinkResponse204 = {
  data: void;
  status: 204;
};

export type signInWithSetupLinkResponseSuccess = (
  signInWithSetupLinkResponse200 | signInWithSetupLinkResponse204
) & {
  headers: Headers;
};
export const getSignInWithSetupLinkUrl = () => {
  return `/api/setup/sign_in`;
};

/**
 * Signs in the guardian who began with this link; 204 if nobody has begun, 401 unless it is the current link. Same-origin
 * requests only.
 * @summary Continue the setup in another browser
 */
export const signInWithSetupLink = async (
  setupSignInRequest: SetupSignInRequest,
  options?: Parameters<typeof http>[1],
): Promise<signInWithSetupLinkResponseSuccess> => {
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
  return http<signInWithSetupLinkResponseSuccess>(getSignInWithSetupLinkUrl(), {
    ...options,
    method: "POST",
    headers: { "Content-Type": "application/json", ...getHeaders(options?.headers) },
    body: JSON.stringify(setupSignInRequest),
  });
};

export type finishSetupResponse204 = {
  data: void;
  status: 204;
};

export type finishSetupResponseSuccess = finishSetupResponse204 & {
  headers: Headers;
};
export const getFinishSetupUrl = () => {
  return `/api/setup/finish`;
};

/**
 * The guardian has saved their recovery codes; the link becomes invalid. Does nothing if the setup is already complete;
 * 422 if no codes were created.
 * @summary Complete the setup
 */
export const finishSetup = async (
  options?: Parameters<typeof http>[1],
): Promise<finishSetupResponseSuccess> => {
  return http<finishSetupResponseSuccess>(getFinishSetupUrl(), {
    ...options,
    method: "POST",
  });
};

export const getFinishSetupMutationKey = () => ["finishSetup"] as const;

export const getFinishSetupMutationOptions = <TError = ErrorType<unknown>, TContext = unknown>(options?: {
  mutation?: UseMutationOptions<Awaited<ReturnType<typeof finishSetup>>, TError, void, TContext>;
  request?: SecondParameter<typeof http>;
}): UseMutationOptions<Awaited<ReturnType<typeof finishSetup>>, TError, void, TContext> => {
  const mutationKey = getFinishSetupMutationKey();
  const { mutation: mutationOptions, request: requestOptions } = options
    ? options.mutation && "mutationKey" in options.mutation && options.mutation.mutationKey
      ? options
      : { ...options, mutation: { ...options.mutation, mutationKey } }
    : { mutation: { mutationKey }, request: undefined };

  const mutationFn: MutationFunction<Awaited<ReturnType<typeof finishSetup>>, void> = () => {
    return finishSetup(requestOptions);
  };

  return { mutationFn, ...mutationOptions };
};

export type FinishSetupMutationResult = NonNullable<Awaited<ReturnType<typeof finishSetup>>>;

export type FinishSetupMutationError = ErrorType<unknown>;

/**
 * @summary Complete the setup
 */
export const useFinishSetup = <TError = ErrorType<unknown>, TContext = unknown>(
  options?: {
    mutation?: UseMutationOptions<Awaited<ReturnType<typeof finishSetup>>, TError, void, TContext>;
    request?: SecondParameter<typeof http>;
  },
  queryClient?: QueryClient,
): UseMutationResult<Awaited<ReturnType<typeof finishSetup>>, TError, void, TContext> => {
  return useMutation(getFinishSetupMutationOptions(options), queryClient);
};
