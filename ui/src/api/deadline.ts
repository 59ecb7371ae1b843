/**
 * Runs something with a signal that aborts after `ms`, or as soon as the caller's does. Safari has `AbortSignal.any` only since
 * 17.4, Firefox since 124 and Chrome since 116.
 */
export async function withDeadline<Result>(
  ms: number,
  callers: AbortSignal | null | undefined,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new DOMException("It took too long.", "TimeoutError")), ms);
  const forward = () => deadline.abort(callers?.reason);
  if (callers?.aborted === true) forward();
  else callers?.addEventListener("abort", forward);
  try {
    return await run(deadline.signal);
  } finally {
    clearTimeout(timer);
    callers?.removeEventListener("abort", forward);
  }
}
