import { afterEach, expect, test, vi } from "vitest";

import { withDeadline } from "./deadline";

afterEach(() => vi.useRealTimers());

/** Runs until the signal aborts, as `fetch` does; then it fails with the reason. */
async function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- as `fetch` does
    const fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    signal.addEventListener("abort", fail);
  });
}

test("a call that exceeds the deadline is aborted", async () => {
  vi.useFakeTimers();
  const failed = vi.fn<(reason: unknown) => void>();
  void withDeadline(1000, null, untilAborted).catch(failed);

  await vi.advanceTimersByTimeAsync(999);
  expect(failed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(failed).toHaveBeenCalledWith(expect.objectContaining({ name: "TimeoutError" }));
});

test("the caller's signal aborts the call, before or after its start", async () => {
  const caller = new AbortController();
  const before = withDeadline(1000, caller.signal, untilAborted);
  caller.abort("no longer wanted");

  await expect(before).rejects.toBe("no longer wanted");
  await expect(withDeadline(1000, caller.signal, untilAborted)).rejects.toBe("no longer wanted");
});

test("a finished call leaves no timer and does not abort its signal", async () => {
  vi.useFakeTimers();
  let used: AbortSignal | undefined;

  await withDeadline(1000, null, async (signal) => {
    used = signal;
    return Promise.resolve();
  });

  expect(vi.getTimerCount()).toBe(0);
  expect(used?.aborted).toBe(false);
});
