/**
 * Whoever opens a page of a child without being signed in is redirected there after signing in, once. The sign-in link
 * opens in a new tab, so the address is kept in the browser's storage.
 */
import { browserStorage } from "../ui/browser-storage";

const KEY = "afterSignIn";

/** Stores the address if it is a page of a child; otherwise removes an earlier one. */
export function keepDeepLink(path: string): void {
  if (path.startsWith("/child/")) browserStorage.set(KEY, path);
  else browserStorage.remove(KEY);
}

export function findDeepLink(): string | null {
  const path = browserStorage.get(KEY);
  return path !== null && path.startsWith("/child/") ? path : null;
}

export function forgetDeepLink(): void {
  browserStorage.remove(KEY);
}
