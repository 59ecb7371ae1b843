import { useSyncExternalStore } from "react";

import { browserStorage } from "./browser-storage";

export type Theme = "light" | "dark" | "system";

const KEY = "theme";
const listeners = new Set<() => void>();

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, appliedTheme);
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") browserStorage.remove(KEY);
  else browserStorage.set(KEY, theme);
  apply(theme);
}

/** Applies theme changes from other tabs. Returns a function that unsubscribes. */
export function followOtherTabs(): () => void {
  addEventListener("storage", applyFromOtherTab);
  return () => removeEventListener("storage", applyFromOtherTab);
}

function applyFromOtherTab({ key, newValue }: StorageEvent): void {
  // The key is null when the whole storage was cleared.
  if (key === KEY || key === null) apply(newValue === "light" || newValue === "dark" ? newValue : "system");
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function appliedTheme(): Theme {
  const theme = document.documentElement.dataset["theme"];
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Does the same as `public/theme.js` before the first paint. */
function apply(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[data-scheme]")) {
    const scheme = meta.dataset["scheme"];
    if (theme === "system") meta.media = `(prefers-color-scheme: ${scheme})`;
    else meta.media = scheme === theme ? "all" : "not all";
  }
  for (const listener of listeners) listener();
}
