/**
 * A signal that aborts after `ms`, or as soon as `signal` does. Safari has `AbortSignal.any` only since 17.4, Firefox since 124
 * and Chrome since 116.
 */
export function withDeadline(ms: number, signal?: AbortSignal | null): AbortSignal {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new DOMException("It took too long.", "TimeoutError")), ms);
  const forward = () => {
    clearTimeout(timer);
    deadline.abort(signal?.reason);
  };
  if (signal?.aborted === true) forward();
  else signal?.addEventListener("abort", forward, { once: true });
  return deadline.signal;
}
