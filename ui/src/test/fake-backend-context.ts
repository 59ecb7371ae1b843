/** Contexts of the fake backend. */
import { HttpResponse } from "msw";

import { problem } from "./fake-problem";
import type { components } from "../api/generated/schema";

export interface FakeContext {
  text: string;
  guardians: number;
  /** Incremented by each change; the ETag contains it. */
  version: number;
}

export function contextOf(text = "", guardians = 1): FakeContext {
  return { text, guardians, version: 1 };
}

export function answerContext({ text, guardians, version }: FakeContext): Response {
  return HttpResponse.json({ text } satisfies components["schemas"]["Context"], {
    headers: { ETag: `"${version}"`, "Porchlight-Guardians": String(guardians) },
  });
}

/** Simulates a change by another guardian. */
export function changeContextElsewhere(context: FakeContext, text: string): void {
  context.text = text;
  context.version += 1;
}

export function answerReplacingContext(
  context: FakeContext,
  text: string,
  expected: string | null,
): Response {
  if (expected !== null && expected !== `"${context.version}"`) {
    const detail = "The text was changed meanwhile. Please look at it again and repeat your change.";
    return problem(412, "context_changed", detail);
  }
  changeContextElsewhere(context, text);
  return answerContext(context);
}
