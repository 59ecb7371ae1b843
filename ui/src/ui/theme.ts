import { browserStorage } from "./browser-storage";

export type Theme = "light" | "dark" | "system";

const KEY = "theme";

/** The parent's choice; `public/theme.js` applies it before the first paint. */
export function chosenTheme(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") {
    delete document.documentElement.dataset["theme"];
    browserStorage.remove(KEY);
  } else {
    document.documentElement.dataset["theme"] = theme;
    browserStorage.set(KEY, theme);
  }
}
