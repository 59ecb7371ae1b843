/** Aborts each test's requests when the test ends, and can delay responses. */

/** The longest random delay of a response, in milliseconds. It makes tests fail that don't wait for what they check. */
const LATE_MS = Number(process.env["ANSWERS_LATE_MS"] ?? 0);

/** Aborts the requests of the current test. */
let ofThisTest = new AbortController();
/** The URLs that the current test has requested. */
let made: string[] = [];
/** How many of the current test's requests have no response yet. */
let pending = 0;

/** The number of requests in the current test whose URL contains `part`, with or without a response. */
export function requestsTo(part: string): number {
  return made.filter((address) => address.includes(part)).length;
}

/** How often to look whether a request is still without its response, every ten milliseconds. */
const LOOKS = 100;

const { setTimeout: later } = globalThis;

/** Waits for the responses of the requests that were made, but not long for those that never get one. */
export async function requestsAnswered(): Promise<void> {
  for (let look = 0; pending > 0 && look < LOOKS; look += 1) {
    await new Promise((resolve) => later(resolve, 10));
  }
}

/** Wraps `fetch`, so that a request of an earlier test reaches neither this test's fake backend nor its console. */
export function endRequestsWithTheirTest(): void {
  const { fetch, setTimeout } = globalThis;
  globalThis.fetch = (input, init) => {
    const { signal } = ofThisTest;
    made.push(input instanceof Request ? input.url : String(input));
    const answered = async () => {
      if (LATE_MS > 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * LATE_MS));
      const signals = init?.signal ? [init.signal, signal] : [signal];
      return fetch(input, { ...init, signal: AbortSignal.any(signals) });
    };
    pending += 1;
    return new Promise((resolve, reject) => {
      const response = answered().finally(() => {
        if (!signal.aborted) pending -= 1;
      });
      response.then(
        (answer) => signal.aborted || resolve(answer),
        (error: unknown) => signal.aborted || reject(error),
      );
    });
  };
}

/** Aborts the current test's requests. Their promises never settle. */
export function abortRequests(): void {
  ofThisTest.abort();
  ofThisTest = new AbortController();
  made = [];
  pending = 0;
}
