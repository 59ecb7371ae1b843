import type { Page } from "@playwright/test";

/** A mid-range phone relative to the measuring machine. */
export const CPU_SLOWDOWN = 4;

/** How often each figure is measured. */
export const RUNS = 5;

/** Slows a page down, and its network by a round trip in milliseconds. */
export async function throttle(page: Page, latency = 0) {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  const unlimited = { offline: false, downloadThroughput: -1, uploadThroughput: -1 };
  await session.send("Network.emulateNetworkConditions", { ...unlimited, latency });
  return session;
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
