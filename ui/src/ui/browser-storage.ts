/**
 * The browser's storage, for what may also be forgotten. A browser can forbid it, and then even looking at
 * `localStorage` throws; nothing is kept then.
 */
export const browserStorage = {
  get: (key: string): string | null => attempt(() => localStorage.getItem(key)) ?? null,
  set: (key: string, value: string): void => attempt(() => localStorage.setItem(key, value)),
  remove: (key: string): void => attempt(() => localStorage.removeItem(key)),
};

function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
