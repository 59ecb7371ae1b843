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

/** One page of a list. The cursor is the number of items before it; clients must not rely on that. */
export function page<Item extends object>(
  all: readonly Item[],
  cursor: string | null,
  limit: string | null,
  family: Family,
) {
  const { end, ...found } = readablePage(all, Number(cursor ?? 0), Number(limit ?? 50), family);
  return { ...found, next: end < all.length ? { next: String(end) } : {} };
}

/** The readable items of a page, the number of unreadable ones among them, and the index after the page. */
export function readablePage<Item extends object>(
  all: readonly Item[],
  start: number,
  limit: number,
  { unreadable }: Family,
) {
  const readable = all.slice(start).filter((item) => !unreadable.has(item));
  const items = readable.slice(0, limit);
  const last = readable.length > limit ? items.at(-1) : undefined;
  const end = last === undefined ? all.length : all.indexOf(last) + 1;
  return { items, end, unreadable: end - start - items.length };
}

/** A response with a list of rows, and the number of those that can't be read. */
export function listed<P extends PathWith<"get">>(body: Body<P, "get">, unreadable: number): Response {
  const headers: Record<string, string> = unreadable > 0 ? { "Unreadable-Rows": String(unreadable) } : {};
  return Response.json(body, { headers });
}
