import { act } from "@testing-library/react";
import { vi } from "vitest";

const { setTimeout } = globalThis;

/**
 * Advances Vitest's fake clock by this many milliseconds and runs the timers that are due. `advanceTimersByTimeAsync` may
 * never return on a slow machine: `shouldAdvanceTime` postpones its end by the real time that each timer takes.
 */
export async function pass(ms: number): Promise<void> {
  await act(async () => void vi.advanceTimersByTime(ms));
  // Lets promises settle, so that `fetch` has been called for what the timers started.
  await new Promise((resolve) => setTimeout(resolve));
}
