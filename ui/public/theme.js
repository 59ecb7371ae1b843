// Runs before the first paint, so that a chosen theme never flashes the other one. `src/ui/theme.ts` writes the choice.
try {
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") {
    document.documentElement.dataset.theme = chosen;
    for (const meta of document.querySelectorAll("meta[data-scheme]"))
      meta.media = meta.dataset.scheme === chosen ? "all" : "not all";
  }
} catch {
  // Storage may be forbidden; then the system's theme holds.
}
