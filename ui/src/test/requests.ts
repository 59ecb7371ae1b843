/** Aborts a test's requests when the test ends, and can delay requests and responses. */
import { waitFor } from "@testing-library/react";
import { expect } from "vitest";

/**
 * The maximum random delay of a request, and of its response, in ms. It reveals tests that don't wait for what they check, also
 * those that wait only until the server was asked.
 */
const LATE_MS = Number(process.env["ANSWERS_LATE_MS"] ?? 0);

let ofThisTest = new AbortController();
let made: { address: string; isAnswered: boolean }[] = [];

/**
 * Reads a response's body as it arrives. A test may leave a body unread, and if msw ends the connection then, Node's HTTP
 * client throws an error that nothing can catch (nodejs/undici#5360).
 */
function readAhead(answer: Response): Response {
  if (answer.body === null) return answer;
  const unlimited = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>(
    undefined,
    undefined,
    {
      highWaterMark: Number.POSITIVE_INFINITY,
    },
  );
  return new Response(answer.body.pipeThrough(unlimited), answer);
}

/** The number of requests in the current test whose URL contains `part`, with or without a response. */
export function requestsTo(part: string): number {
  return made.filter(({ address }) => address.includes(part)).length;
}

/** The addresses of the current test's requests, also of those that were aborted before the server got them. */
export function requestedAddresses(): string[] {
  return made.map(({ address }) => address);
}

/** Waits until every request of the current test but event streams has a response. */
export async function allAnswered(): Promise<void> {
  await waitFor(() => expect(made.filter(({ isAnswered }) => !isAnswered)).toEqual([]));
}

/** Wraps `fetch`, so that a request of an earlier test can't reach this test's fake backend or console. */
export function endRequestsWithTheirTest(): void {
  const { fetch, setTimeout } = globalThis;
  const delay = () => new Promise((resolve) => setTimeout(resolve, Math.random() * LATE_MS));
  globalThis.fetch = (input, init) => {
    const { signal } = ofThisTest;
    const address = input instanceof Request ? input.url : String(input);
    const request = { address, isAnswered: address.endsWith("/events") };
    made.push(request);
    const answered = async () => {
      if (LATE_MS > 0) await delay();
      const signals = init?.signal ? [init.signal, signal] : [signal];
      const answer = readAhead(await fetch(input, { ...init, signal: AbortSignal.any(signals) }));
      if (LATE_MS > 0) await delay();
      return answer;
    };
    return new Promise((resolve, reject) => {
      const ended = answered().finally(() => {
        request.isAnswered = true;
      });
      ended.then(
        (answer) => signal.aborted || resolve(answer),
        (error: unknown) => signal.aborted || reject(error),
      );
    });
  };
}

/** Whether the test that made an intercepted request has ended. msw may handle it after the test's handlers were removed. */
export function isOfEndedTest(frame: unknown): boolean {
  const request: unknown = typeof frame === "object" && frame !== null && Reflect.get(frame, "request");
  return request instanceof Request && request.signal.aborted;
}

/** Aborts the current test's requests. Their promises never settle. */
export function abortRequests(): void {
  ofThisTest.abort();
  ofThisTest = new AbortController();
  made = [];
}
