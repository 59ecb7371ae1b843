import { useSyncExternalStore } from "react";

import { browserStorage } from "./browser-storage";

const KEY = "searchKey";
const OFF = "off";
const listeners = new Set<() => void>();

/** Whether `/` opens the search. The shortcut can be switched off (WCAG 2.1.4). */
export function useSearchKey(): boolean {
  return useSyncExternalStore(subscribe, isOn);
}

export function switchSearchKey(on: boolean): void {
  if (on) browserStorage.remove(KEY);
  else browserStorage.set(KEY, OFF);
  for (const listener of listeners) listener();
}

function isOn(): boolean {
  return browserStorage.get(KEY) !== OFF;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Changes in other tabs.
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}
