/** Aborts each test's requests when the test ends, and can delay responses. */

/** The longest random delay of a response, in milliseconds. It makes tests fail that don't wait for what they check. */
const LATE_MS = Number(process.env["ANSWERS_LATE_MS"] ?? 0);

/** Aborts the requests of the current test. */
let ofThisTest = new AbortController();
/** The URLs that the current test has requested. */
let made: string[] = [];

/** The number of requests in the current test whose URL contains `part`, with or without a response. */
export function requestsTo(part: string): number {
  return made.filter((address) => address.includes(part)).length;
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
    return new Promise((resolve, reject) => {
      answered().then(
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
}
