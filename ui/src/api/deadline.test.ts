import { afterEach, expect, test, vi } from "vitest";

import { withDeadline } from "./deadline";

afterEach(() => vi.useRealTimers());

test("a signal aborts when its time is up", () => {
  vi.useFakeTimers();
  const signal = withDeadline(1000);

  vi.advanceTimersByTime(999);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.reason).toMatchObject({ name: "TimeoutError" });
});

test("a signal aborts with the caller's, before or after it was made", () => {
  const caller = new AbortController();
  const before = withDeadline(1000, caller.signal);
  caller.abort("no longer wanted");

  expect(before.reason).toBe("no longer wanted");
  expect(withDeadline(1000, caller.signal).reason).toBe("no longer wanted");
});
