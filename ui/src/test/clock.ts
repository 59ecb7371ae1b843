import { act } from "@testing-library/react";
import { vi } from "vitest";

const { setTimeout } = globalThis;

/**
 * Lets this many milliseconds of the fake clock pass at once. `advanceTimersByTimeAsync` does it timer by timer, while
 * `shouldAdvanceTime` moves its target on with the real clock: on a slow machine it may never arrive.
 */
export async function pass(ms: number): Promise<void> {
  await act(async () => void vi.advanceTimersByTime(ms));
  // What the timers request is requested by now.
  await new Promise((resolve) => setTimeout(resolve));
}
