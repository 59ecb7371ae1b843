/**
 * `localStorage`, for data that may be lost. A browser can forbid it, and then even reading the property throws; in that
 * case nothing is stored.
 */
export const browserStorage = {
  get: (key: string): string | null => attempt(() => localStorage.getItem(key)) ?? null,
  set: (key: string, value: string): void => attempt(() => localStorage.setItem(key, value)),
  remove: (key: string): void => attempt(() => localStorage.removeItem(key)),
};

/** Whether this browser blocks the storage that a lasting sign-in needs. */
export function blocksStorage(): boolean {
  const probe = "probe";
  browserStorage.set(probe, probe);
  const stored = browserStorage.get(probe) === probe;
  browserStorage.remove(probe);
  return !stored || !navigator.cookieEnabled;
}

function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
