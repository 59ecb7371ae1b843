/**
 * A visit that began at `/child/…` without being signed in goes on there once the parent has signed in. The link in the
 * letter opens a tab of its own, so the address waits in the browser's storage; it is honoured once.
 */
import { browserStorage } from "../ui/browser-storage";

const KEY = "afterSignIn";

/** Keeps where the visit began, if that is a page of a child; else forgets an earlier one. */
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
