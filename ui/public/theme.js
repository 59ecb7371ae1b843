// Runs before the first paint, so that a chosen theme never flashes the other one. `src/ui/theme.ts` writes the choice.
try {
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be forbidden; then the system's theme holds.
}
