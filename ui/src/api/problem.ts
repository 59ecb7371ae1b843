import type { components } from "./generated/schema";

/** What an error says. `docs/errors.md` lists the sentences. */
export type ProblemCode = components["schemas"]["ProblemCode"];

/** A request that failed. Without a `status` there was no response. */
export class RequestFailed extends Error {
  override name = "RequestFailed";
  readonly status: number | undefined;
  /** The parsed body of the response. */
  readonly body: unknown;

  constructor(message: string, answer: { status?: number; body?: unknown; cause?: unknown } = {}) {
    super(message, { cause: answer.cause });
    this.status = answer.status;
    this.body = answer.body;
  }
}

/** Whether the server answered with this error. */
export function hasCode(error: unknown, code: ProblemCode): boolean {
  return field(error, "code") === code;
}

/** A value of the error's sentence. */
export function argumentOf(error: unknown, name: string): string {
  const { body } = error instanceof RequestFailed ? error : { body: undefined };
  return String(Reflect.get(Object(Reflect.get(Object(body), "args")), name));
}

/** The guardian is not signed in, so the request was not made. */
export class NotSignedIn extends Error {
  override name = "NotSignedIn";
}

/** The guardian closed the dialog that the call needed. That is no failure: nothing says so, on the page or on the console. */
export class StepUpCancelled extends Error {
  override name = "StepUpCancelled";
}

/** Shown if nothing says what went wrong. */
export const FAILED = "That didn't work. Please try again.";

/** A feature's words about a failure. */
export interface ErrorText {
  /** Shown if neither the server nor the error says what went wrong. */
  fallback?: string;
  /** Comes before whatever is shown. */
  prefix?: string;
  /** Whether the server's `message` counts, after its `detail`: for feedback and the block list. */
  alsoMessage?: boolean;
}

/** A feature's words about its failures, by what failed. */
export type ErrorTexts = Readonly<Record<string, ErrorText | string>>;

/**
 * The sentence that tells a parent what went wrong: the server's `detail`, else the error's own message, else the
 * fallback. The message of an error with a status is only for the console, because it names the status.
 */
export function errorMessage(error: unknown, text: ErrorText | string = {}): string {
  const words: ErrorText = typeof text === "string" ? { fallback: text } : text;
  const { prefix = "", fallback = FAILED, alsoMessage = false } = words;
  const ownMessage = error instanceof Error && (isUnreachable(error) || !(error instanceof RequestFailed));
  const candidates = [
    field(error, "detail"),
    alsoMessage ? field(error, "message") : undefined,
    ownMessage ? error.message : undefined,
  ];
  const sentence = candidates.find((candidate) => candidate !== undefined && candidate.trim() !== "");
  return prefix + (sentence ?? fallback);
}

/** {@link errorMessage}, or null if nothing failed. */
export function failureSentence(error: unknown, text?: ErrorText | string): string | null {
  if (error === null || error === undefined || error instanceof StepUpCancelled) return null;
  return errorMessage(error, text);
}

/** Whether the error is about this location in the request's body (a JSON Pointer). */
export function isAbout(error: unknown, place: string): boolean {
  return field(error, "at") === place;
}

/** Whether there was no response: no network, or no server. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof RequestFailed && error.status === undefined;
}

/** Whether the server is unavailable: no response, or a proxy's error response. The server's own errors have a `detail`. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof RequestFailed)) return false;
  const byProxy = [502, 503, 504].includes(error.status ?? 0) && field(error, "detail") === undefined;
  return error.status === undefined || byProxy;
}

/** Whether a retry may help: there was no response, or the status is 429 or 5xx. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof RequestFailed)) return false;
  return error.status === undefined || error.status === 429 || error.status >= 500;
}

/** Whether the call works once the guardian has stepped up. */
export function needsStepUp(error: unknown): boolean {
  return hasCode(error, "step_up_required");
}

/** Logs an error to the console. */
export function logFailure(error: unknown): void {
  // oxlint-disable-next-line no-console -- the one place that writes there
  console.error(error);
}

/** A string property of the response's body. */
function field(error: unknown, name: string): string | undefined {
  const body = error instanceof RequestFailed ? error.body : undefined;
  if (typeof body !== "object" || body === null) return undefined;
  const value: unknown = Reflect.get(body, name);
  return typeof value === "string" ? value : undefined;
}
