/** The requests of the tests: each ends with the test that made it, and its answer can be made to come late. */

/** With `ANSWERS_LATE_MS=100`, each request waits up to that long: what a test doesn't wait for is then missing. */
const LATE_MS = Number(process.env["ANSWERS_LATE_MS"] ?? 0);

/** Of the test that runs. */
let ofThisTest = new AbortController();
let made: string[] = [];

/** How many requests this test has made whose address contains `part`, answered or not. */
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

/** Aborts what is still requested. Whoever waits for it is never told. */
export function abortRequests(): void {
  ofThisTest.abort();
  ofThisTest = new AbortController();
  made = [];
}
