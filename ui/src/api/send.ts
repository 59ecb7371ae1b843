import { loadProblemSentences } from "./catalogues";
import { withDeadline } from "./deadline";
import { RequestFailed } from "./problem";

/** The timeout of a request. */
const DEADLINE_MS = 30_000;

export interface Answer {
  data: unknown;
  status: number;
  headers: Headers;
}

/** Makes one request and parses its answer. Anything but a success, or one of `expected`, is a `RequestFailed`. */
export async function send(
  url: string,
  init: RequestInit,
  expected: readonly number[] = [],
): Promise<Answer> {
  const answer = await withDeadline(DEADLINE_MS, init.signal, async (signal) => {
    const response = await fetch(url, { ...init, signal, credentials: "same-origin" });
    return { response, text: await response.text() };
  }).catch((cause: unknown) => {
    // The caller aborted the request, so this is not a server error.
    if (init.signal?.aborted === true) throw cause;
    throw unreachable(cause);
  });
  const { response, text } = answer;
  const body = text === "" ? undefined : parse(text);
  if (!response.ok && !expected.includes(response.status)) {
    throw await requestFailed(response.status, text);
  }
  // A response that isn't JSON is not from our server, but for instance from a captive portal.
  if (text !== "" && body === undefined) throw unreachable();
  return { data: body, status: response.status, headers: response.headers };
}

/** Whether the server answers at all. */
export async function serverAnswers(): Promise<boolean> {
  const answer = await withDeadline(DEADLINE_MS, null, async (signal) => fetch("/healthz", { signal })).catch(
    () => null,
  );
  return answer?.ok === true;
}

/** The error of an unsuccessful response. Its sentence is loaded, so that it can be shown at once. */
export async function requestFailed(status: number, text: string): Promise<RequestFailed> {
  await loadProblemSentences();
  const body = text === "" ? undefined : parse(text);
  return new RequestFailed(`The server answered with status ${status}.`, { status, body });
}

export function unreachable(cause?: unknown): RequestFailed {
  return new RequestFailed("The server can't be reached. Please check your connection.", { cause });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
