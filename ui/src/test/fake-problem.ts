import { HttpResponse } from "msw";

import type { components } from "../api/generated/schema";

type Problem = components["schemas"]["Problem"];

/** An error response of the server. `rest` is where it is wrong, and the values in the sentence of `docs/errors.md`. */
export function problem(
  status: number,
  code: Problem["code"],
  detail: string,
  rest: Pick<Problem, "at" | "args"> = {},
): Response {
  return HttpResponse.json({ detail, code, ...rest } satisfies Problem, { status });
}

/** What is not there, or not the guardian's. */
export function notFound(): Response {
  return problem(404, "not_found", "There is nothing here, or it is not yours to see.");
}
