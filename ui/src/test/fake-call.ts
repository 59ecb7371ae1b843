/** Calls of the fake backend, typed by the contract. */
import { type HttpHandler, delay } from "msw";

import { notFound, problem } from "./fake-problem";
import type { Family } from "./families";
import type { paths } from "../api/generated/schema";

export type Method = "get" | "put" | "post" | "delete";
export type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];
type Operation<P extends keyof paths, M extends Method> =
  paths[P] extends Record<M, infer Found> ? Found : never;

/** The body of a success (200 or 201) in the contract. */
export type Body<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { answer: infer Answer } ? Answer : undefined;

/** The body of the request in the contract. */
export type RequestBody<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { body: infer Sent } ? Sent : undefined;

export interface Call<P extends keyof paths, M extends Method> {
  params: Record<string, string>;
  query: URLSearchParams;
  headers: Headers;
  body: RequestBody<P, M>;
}

export type Answered<P extends keyof paths, M extends Method> =
  Body<P, M> | Response | Promise<Body<P, M> | Response>;

/** Makes a handler that requires an identity token. It gets the data of the token's guardian. */
export type ForGuardian = <M extends Method, P extends PathWith<M> & string>(
  method: M,
  path: P,
  answer: (call: Call<P, M>, family: Family) => Answered<P, M>,
) => HttpHandler;

/** The error response that a child's id causes; null if none. */
export async function misbehaviour(childId: number, family: Family): Promise<Response | null> {
  if (!family.children.some(({ child_id }) => child_id === childId)) return notFound();
  if (childId === 503)
    return problem(503, "storage_unreadable", "This can't be read right now. Please try again in a minute.");
  if (childId === 102) await delay("infinite");
  return null;
}
