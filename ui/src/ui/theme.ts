import { useSyncExternalStore } from "react";

import { browserStorage } from "./browser-storage";

export type Theme = "light" | "dark" | "system";

const KEY = "theme";
const watchers = new Set<() => void>();

/** The theme that is chosen in this browser. */
export function useTheme(): Theme {
  return useSyncExternalStore(watch, appliedTheme);
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") browserStorage.remove(KEY);
  else browserStorage.set(KEY, theme);
  apply(theme);
}

/** Applies what is chosen in another tab. Returns how to stop. */
export function followOtherTabs(): () => void {
  addEventListener("storage", applyFromOtherTab);
  return () => removeEventListener("storage", applyFromOtherTab);
}

function applyFromOtherTab({ key, newValue }: StorageEvent): void {
  // Without a key the whole storage was cleared.
  if (key === KEY || key === null) apply(newValue === "light" || newValue === "dark" ? newValue : "system");
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function appliedTheme(): Theme {
  const theme = document.documentElement.dataset["theme"];
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** As `public/theme.js` does before the first paint. */
function apply(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[data-scheme]")) {
    const scheme = meta.dataset["scheme"];
    if (theme === "system") meta.media = `(prefers-color-scheme: ${scheme})`;
    else meta.media = scheme === theme ? "all" : "not all";
  }
  for (const watcher of watchers) watcher();
}
