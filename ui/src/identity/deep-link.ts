/**
 * A page of a child that was requested while signed out is opened once after the sign-in. The sign-in link opens in a new
 * tab, so the address is stored in the browser.
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
