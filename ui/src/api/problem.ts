/** The answer to a request was not a success, or there was no answer at all (then `status` is missing). */
export class RequestFailed extends Error {
  override name = "RequestFailed";
  readonly status: number | undefined;
  /** The parsed body of the answer, whatever it is. */
  readonly body: unknown;

  constructor(message: string, answer: { status?: number; body?: unknown; cause?: unknown } = {}) {
    super(message, { cause: answer.cause });
    this.status = answer.status;
    this.body = answer.body;
  }
}

/** The guardian is not signed in, so the request was not made. */
export class NotSignedIn extends Error {
  override name = "NotSignedIn";
}

/**
 * The sentence that tells a parent what went wrong: the server's `detail`, else the error's own message, else
 * `fallback`. Feedback and the block list also accept a `message` of the server (`alsoMessage`). The message of an
 * error with a status names that status; it is for the console.
 */
export function sentenceOf(error: unknown, fallback: string, { alsoMessage = false } = {}): string {
  const candidates = [
    error instanceof RequestFailed ? field(error.body, "detail") : undefined,
    alsoMessage && error instanceof RequestFailed ? field(error.body, "message") : undefined,
    error instanceof Error && !isAnswered(error) ? error.message : undefined,
  ];
  return candidates.find((candidate) => candidate !== undefined && candidate.trim() !== "") ?? fallback;
}

/** Whether the server answered, although not with a success. */
function isAnswered(error: Error): boolean {
  return error instanceof RequestFailed && error.status !== undefined;
}

/** Whether the server says that this place in the request's body is wrong (a JSON Pointer). */
export function isAbout(error: unknown, place: string): boolean {
  return error instanceof RequestFailed && field(error.body, "at") === place;
}

/** There was no answer at all: no connection, or no server at its other end. */
export function nobodyAnswered(error: unknown): boolean {
  return error instanceof RequestFailed && error.status === undefined;
}

/** Trying the same again may help: nobody answered, or the server said "not now". */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof RequestFailed)) return false;
  return error.status === undefined || error.status === 429 || error.status >= 500;
}

/** Failures are also written to the console, where whoever helps the parent looks first. */
export function logFailure(error: unknown): void {
  // oxlint-disable-next-line no-console -- the one place that writes there
  console.error(error);
}

function field(body: unknown, name: string): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const value: unknown = Reflect.get(body, name);
  return typeof value === "string" ? value : undefined;
}
